import type { Element, Root, RootContent } from 'hast';
import { codeOf, isElement, textOf } from './elements.ts';
import { loadColour } from './highlight.ts';
import { walk } from './walk.ts';

// About 200,000 characters are coloured in a second: an article made of nothing but code must not reach the time limit for that.
const MAX_BLOCK = 20_000;
const MAX_ARTICLE = 60_000;
const MAX_LANGUAGES = 8;

/**
 * Colours the code blocks of a decorated tree, in place. Blocks of an unknown language stay plain, and so do those over 20,000 characters,
 * those after the first 60,000 characters of code, and those of a ninth language.
 */
export async function colourCode(tree: Root): Promise<void> {
  for (const { code, text, language } of blocksWithin(tree)) {
    const colour = await loadColour(language);
    if (colour) code.children = colour(text);
  }
}

/**
 * Loads the grammars that the fences of `source` seem to name (8 at most), so that a time limit on rendering does not count it.
 */
export async function prepareCode(source: string): Promise<void> {
  const names = new Set<string>();
  for (const [, name = ''] of source.matchAll(/^[ \t>]*(?:`{3,}|~{3,})[ \t]*([^\s`{:,]{1,40})/gm)) {
    if (names.size < MAX_LANGUAGES) names.add(name.toLowerCase());
  }
  for (const name of names) await loadColour(name);
}

interface Block {
  code: Element;
  text: string;
  language: string;
}

function blocksWithin(tree: Root): Block[] {
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
      const fits = text.length <= MAX_BLOCK && total + text.length <= MAX_ARTICLE;
      if (fits && !(isNew && languages.size >= MAX_LANGUAGES)) {
        languages.add(language);
        total += text.length;
        blocks.push({ code, text, language });
      }
    }
    return 'skip';
  });
  return blocks;
}
