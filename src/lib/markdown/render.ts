import type { Root } from 'hast';
import { attributeText } from './attribute-text.ts';
import { blockLines } from './parts/block-lines.ts';
import { frameCode } from './code/code-blocks.ts';
import { colourCode, prepareCode, type ColourLimits, type KnownColours } from './code/code.ts';
import { decorate, directBlocks } from './decorate.ts';
import { drawDiagrams, loadDiagrams, mayHaveDiagrams, type KnownDiagrams } from './diagrams/diagrams.ts';
import { splitAtFold } from './excerpt.ts';
import { drawFormulas, loadTemml, mayHaveFormulas, type KnownFormulas } from './math/formulas.ts';
import { anchorHeadings, type TocItem } from './syntax/headings.ts';
import { markLines } from './syntax/ragged-lines.ts';
import {
  asTooComplex,
  refuseDeepLines,
  refuseLargePage,
  refuseLargeTree,
  treeBytes,
  utf8Length,
} from './limits.ts';
import { toHtml, toSafeTree } from './pipeline.ts';
import { plainText, summarise } from './text.ts';
import { countWords } from '../shared/word-count.ts';

export { isTooComplex, sentenceOf } from './limits.ts';

/**
 * `html` is safe to insert; `summary` is plain text for a card; `text` is the visible text, one line per
 * block; `words` counts it (word-count.ts); `attributes` is the text of attributes (`attributeText`).
 */
export type Rendered = {
  html: string;
  toc: TocItem[];
  summary: string;
  text: string;
  attributes: string;
  words: number;
};

/**
 * Renders an article; the same source gives the same result in Node, browsers and at the edge (except for
 * rare tokens, see highlight.ts).
 * @param source markdown as the author wrote it, with or without the 阅读全文 line
 * @throws an error that `isTooComplex` recognises, past a limit of limits.ts (`sentenceOf` says which). The
 * caller must bound the time: with a time limit (articles/rendering/renderer.ts) or with work.ts
 * @param colours limits of highlighting, if not the default
 */
export async function renderMarkdown(source: string, colours?: ColourLimits): Promise<Rendered> {
  const { lines: _, ...rendered } = await render(source, colours);
  return rendered;
}

export type Preview = { html: string; lines: (number | null)[] };

/** Renders an article for the editor; parameters, result and errors as in `renderMarkdown`. */
export async function renderPreview(source: string): Promise<Preview> {
  const { html, lines } = await render(source);
  return { html, lines };
}

async function render(source: string, colours?: ColourLimits): Promise<Rendered & Preview> {
  try {
    const { before, folded, withoutFold } = splitAtFold(source);
    refuseDeepLines(withoutFold);
    const tree = toSafeTree(withoutFold);
    refuseLargeTree(treeBytes(tree));
    const text = plainText(tree);
    const attributes = attributeText(tree);
    const summary = summarise(tree, folded ? before.length : Infinity);
    const { toc } = await finishTree(tree, source, colours);
    const lines = blockLines(tree, source, withoutFold);
    const html = toHtml(tree).trim();
    refuseLargePage(utf8Length(html), toc);
    return { html, toc, summary, text, attributes, words: countWords(text), lines };
  } catch (error) {
    throw asTooComplex(error);
  }
}

/** Formulas, diagrams and code of the previous version of an article, to be reused. */
export interface KnownParts {
  formulas?: KnownFormulas;
  diagrams?: KnownDiagrams;
  colours?: KnownColours;
}

/** Decorates a sanitised tree in place, draws its formulas and diagrams, and colours its code. */
export async function finishTree(
  tree: Root,
  source: string,
  limits?: ColourLimits,
  known: KnownParts = {},
): Promise<{ toc: TocItem[]; known: KnownParts }> {
  const toc = anchorHeadings(tree);
  decorate(tree);
  directBlocks(tree);
  markLines(tree);
  const formulas = await drawFormulas(tree, source, known.formulas);
  const diagrams = await drawDiagrams(tree, source, known.diagrams);
  const colours = await colourCode(tree, limits, known.colours);
  frameCode(tree);
  return { toc, known: { formulas, diagrams, colours } };
}

export function summariseMarkdown(source: string): string {
  try {
    const { before, folded, withoutFold } = splitAtFold(source);
    refuseDeepLines(withoutFold);
    return summarise(toSafeTree(withoutFold), folded ? before.length : Infinity);
  } catch (error) {
    throw asTooComplex(error);
  }
}

export async function prepareMarkdown(source: string): Promise<void> {
  if (mayHaveFormulas(source)) await loadTemml();
  if (mayHaveDiagrams(source)) await loadDiagrams();
  await prepareCode(source);
}
