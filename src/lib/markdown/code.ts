import type { Element, ElementContent, Root, RootContent } from 'hast';
import { codeOf, isElement, textOf } from './elements.ts';
import { loadColour, makeRoomFor } from './highlight.ts';
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

/** Code that has been coloured, by language and text. */
export type KnownColours = ReadonlyMap<string, ElementContent[]>;

/**
 * Colours code blocks in place; unknown languages, long blocks, and what is past the limits stay plain.
 * @param known of the article as it was, so that what has not changed is not coloured again
 * @returns what is known of the article now
 */
export async function colourCode(
  tree: Root,
  limits: ColourLimits = FULL,
  known: KnownColours = new Map(),
): Promise<KnownColours> {
  const used = new Map<string, ElementContent[]>();
  for (const { code, text, language } of blocksWithin(tree, limits)) {
    const name = `${language}\n${text}`;
    const coloured = known.get(name) ?? (await loadColour(language))?.(text);
    if (!coloured) continue;
    code.children = coloured;
    used.set(name, coloured);
  }
  return used;
}

/** Loads the grammars, 8 at most, that `source` seems to name: a time limit must not count that. */
export async function prepareCode(source: string): Promise<void> {
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(/^[ \t>]*(?:`{3,}|~{3,})[ \t]*([^\s`{:,]{1,40})/gm)) {
    if (names.size < FULL.languages) names.add(name.toLowerCase());
  }
  makeRoomFor(names);
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
