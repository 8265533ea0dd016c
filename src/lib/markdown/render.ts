import { blockLines } from './block-lines.ts';
import { colourCode, prepareCode, type ColourLimits } from './code.ts';
import { decorate } from './decorate.ts';
import { splitAtFold } from './excerpt.ts';
import { anchorHeadings, type TocItem } from './headings.ts';
import {
  isTooComplex,
  refuseDeepLines,
  refuseLargePage,
  refuseLargeTree,
  sentenceOf,
  tooComplex,
} from './limits.ts';
import { toHtml, toSafeTree } from './pipeline.ts';
import { plainText, summarise } from './text.ts';

export { isTooComplex, sentenceOf } from './limits.ts';
export type { TocItem } from './headings.ts';

/**
 * An article ready to be shown: `html` is safe as it stands, `summary` is plain text for a card, `text` is
 * the visible plain text, a line for each block, for search.
 */
export type Rendered = { html: string; toc: TocItem[]; summary: string; text: string };

/**
 * Renders an article. The same source gives the same result, whatever was rendered before, in Node, in a
 * browser and at the edge (there with another regex engine for code, highlight.ts: a rare token may get
 * another colour).
 * @param source markdown as the author wrote it, with or without the 阅读全文 line
 * @throws an error that `isTooComplex` recognises, for a text that nests too deeply or passes a bound of
 * limits.ts (`sentenceOf` says which). Long work is not refused here: whoever renders for others does so
 * under a time limit (server/articles/renderer.ts), or looks first what the work will be (work.ts)
 * @param colours how much code is coloured, when not as usual
 */
export async function renderMarkdown(source: string, colours?: ColourLimits): Promise<Rendered> {
  const { lines: _, ...rendered } = await render(source, colours);
  return rendered;
}

/**
 * What an editor shows beside the text: the HTML of `renderMarkdown`, and where its blocks come from
 * (`blockLines`).
 */
export type Preview = { html: string; lines: (number | null)[] };

/** Renders an article for its writer; parameters, result and errors as in `renderMarkdown`. */
export async function renderPreview(source: string): Promise<Preview> {
  const { html, lines } = await render(source);
  return { html, lines };
}

async function render(source: string, colours?: ColourLimits): Promise<Rendered & Preview> {
  try {
    const { before, folded, withoutFold } = splitAtFold(source);
    refuseDeepLines(withoutFold);
    const tree = toSafeTree(withoutFold);
    refuseLargeTree(tree);
    const text = plainText(tree);
    const summary = summarise(tree, folded ? before.length : Infinity);
    const toc = anchorHeadings(tree);
    decorate(tree);
    await colourCode(tree, colours);
    const lines = blockLines(tree, source, withoutFold);
    const html = toHtml(tree).trim();
    refuseLargePage(html, toc);
    return { html, toc, summary, text, lines };
  } catch (error) {
    throw isTooComplex(error) ? tooComplex(sentenceOf(error)) : error;
  }
}

/**
 * The `summary` that `renderMarkdown` would give, without the rest of the work.
 * @throws as `renderMarkdown` does
 */
export function summariseMarkdown(source: string): string {
  try {
    const { before, folded, withoutFold } = splitAtFold(source);
    refuseDeepLines(withoutFold);
    return summarise(toSafeTree(withoutFold), folded ? before.length : Infinity);
  } catch (error) {
    throw isTooComplex(error) ? tooComplex(sentenceOf(error)) : error;
  }
}

/**
 * Loads what rendering `source` will need, grammars above all. Optional: it takes time off the first
 * `renderMarkdown`.
 */
export async function prepareMarkdown(source: string): Promise<void> {
  await prepareCode(source);
}
