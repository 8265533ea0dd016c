import type { Element, ElementContent, Root, RootContent } from 'hast';
import { codeOf, isElement, textOf } from '../elements.ts';
import { readInfo } from './code-meta.ts';
import { loadColour, makeRoomFor } from './highlight.ts';
import { findLanguage } from './languages.ts';
import { walk } from '../walk.ts';

export interface ColourLimits {
  /** Characters of one block; `article` is the total of all blocks. */
  block: number;
  article: number;
  languages: number;
  without: ReadonlySet<string>;
}

/** 200,000 characters take a second; an article that is only code must stay within the time limit. */
const FULL: ColourLimits = { block: 20_000, article: 60_000, languages: 8, without: new Set() };

export type KnownColours = ReadonlyMap<string, ElementContent[]>;

/**
 * Highlights code blocks in place. Unknown languages, long blocks, and blocks past the limits stay plain.
 * @param known result for the previous version of the article; unchanged blocks are reused
 * @returns the blocks of this version
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

/**
 * Loads up to 8 grammars that `source` seems to name, so the time limit of rendering does not include
 * loading.
 */
export async function prepareCode(source: string): Promise<void> {
  const names = new Set<string>();
  for (const [, info = ''] of source.matchAll(/^[ \t>]*(?:`{3,}|~{3,})([^`\n]{1,200})/gm)) {
    const { language } = readInfo(info);
    if (language !== '' && names.size < FULL.languages) names.add(language);
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
