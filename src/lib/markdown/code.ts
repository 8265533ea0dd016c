import type { Element, Root, RootContent } from 'hast';
import { codeOf, isElement, textOf } from './elements.ts';
import { loadColour } from './highlight.ts';
import { findLanguage } from './languages.ts';
import { walk } from './walk.ts';

/** How much code of an article is coloured; what is beyond stays plain. */
export interface ColourLimits {
  /** Characters of one block, and of all blocks. */
  block: number;
  article: number;
  languages: number;
  /** Languages that stay plain, by the name of their grammar. */
  without: ReadonlySet<string>;
}

/** 200,000 characters take a second: an article of nothing but code must not reach the time limit. */
const FULL: ColourLimits = { block: 20_000, article: 60_000, languages: 8, without: new Set() };

/** Colours code blocks in place; unknown languages, long blocks, and what is past the limits stay plain. */
export async function colourCode(tree: Root, limits: ColourLimits = FULL): Promise<void> {
  for (const { code, text, language } of blocksWithin(tree, limits)) {
    const colour = await loadColour(language);
    if (colour) code.children = colour(text);
  }
}

/** Loads the grammars, 8 at most, that `source` seems to name: a time limit must not count that. */
export async function prepareCode(source: string): Promise<void> {
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(/^[ \t>]*(?:`{3,}|~{3,})[ \t]*([^\s`{:,]{1,40})/gm)) {
    if (names.size < FULL.languages) names.add(name.toLowerCase());
  }
  for (const name of names) await loadColour(name);
}

interface Block {
  code: Element;
  text: string;
  language: string;
}

function blocksWithin(tree: Root, limits: ColourLimits): Block[] {
  const blocks: Block[] = [];
  const languages = new Set<string>();
  let total = 0;
  walk<RootContent>(tree, (node) => {
    if (!isElement(node, 'pre')) return undefined;
    const code = codeOf(node);
    const language = node.properties['dataLang'];
    if (code && typeof language === 'string' && code.children.every((child) => child.type === 'text')) {
      const text = textOf(code);
      const isNew = !languages.has(language);
      const fits = text.length <= limits.block && total + text.length <= limits.article;
      const isLeft = limits.without.has(findLanguage(language)?.id ?? '');
      if (fits && !isLeft && !(isNew && languages.size >= limits.languages)) {
        languages.add(language);
        total += text.length;
        blocks.push({ code, text, language });
      }
    }
    return 'skip';
  });
  return blocks;
}
