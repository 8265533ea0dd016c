import type { Element } from 'hast';
import type { Nodes, Root } from 'mdast';
import rehypeParse from 'rehype-parse';
import rehypeRemark, { type Options } from 'rehype-remark';
import rehypeSanitize from 'rehype-sanitize';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough';
import remarkGfm from 'remark-gfm';
import remarkStringify, { type Options as ToOptions } from 'remark-stringify';
import { unified, type PluggableList } from 'unified';
import { CELL_BREAK } from '../cell-break.ts';
import { SCHEMA } from '../schema.ts';
import { walk } from '../walk.ts';
import { rehypeClean } from './clean.ts';
import { formulaHandlers, formulaOrCode, remarkFormulaBlocks } from './formulas-to-markdown.ts';
import { mayHaveMathml, type MathmlToTex } from './formulas.ts';
import { remarkTidyMarks } from './tidy-marks.ts';

type State = Parameters<NonNullable<NonNullable<Options['handlers']>[string]>>[0];

/** A cell has one line in markdown; what its text breaks with is HTML. */
function lineBreak(state: State, node: Element): Nodes {
  const result: Nodes = state.inTable ? { type: 'html', value: CELL_BREAK } : { type: 'break' };
  state.patch(node, result);
  return result;
}

/** How elements become markdown's nodes. */
export const ELEMENT_HANDLERS: NonNullable<Options['handlers']> = { br: lineBreak, code: formulaOrCode };

/** How markdown is written here, whatever it is made of. */
export const TO_MARKDOWN: PluggableList = [
  remarkTidyMarks,
  remarkFormulaBlocks,
  [remarkGfm, { tablePipeAlign: false }],
  remarkCjkFriendly,
  remarkCjkStrikethrough,
];
export const STRINGIFY: ToOptions = {
  bullet: '-',
  emphasis: '*',
  rule: '-',
  listItemIndent: 'one',
  // remark-breaks reads a line's end as one.
  handlers: { break: () => '\n', ...formulaHandlers },
};

const processor = unified()
  .use(rehypeParse, { fragment: true })
  .use(rehypeClean)
  // Nothing of a page but what an article may hold; cleaning has taken what is hidden.
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeRemark, { handlers: ELEMENT_HANDLERS })
  .use(TO_MARKDOWN)
  .use(remarkStringify, STRINGIFY)
  .freeze();

/** Markdown made of a page's piece, and how many of its pictures have no address on the web. */
export interface FromHtml {
  markdown: string;
  lostPictures: number;
}

/** What cleaning is told of a piece, and says of it. */
export interface Data extends Record<string, unknown> {
  lostPictures?: number;
  toTex?: MathmlToTex | undefined;
}

/**
 * HTML that another program put on the clipboard, as markdown: headings, emphasis, links, lists, tables,
 * code, formulas and pictures stay; scripts, styles, hidden text and addresses other than of the web and
 * mail go.
 * @returns null where it holds nothing but plain text, which says the same better
 * @throws RangeError for what nests deeper than the stack
 */
export async function fromHtml(html: string): Promise<FromHtml | null> {
  const data: Data = { toTex: mayHaveMathml(html) ? await loadMathml() : undefined };
  const tree = processor.runSync(processor.parse(html), { value: html, data });
  if (!hasStructure(tree)) return null;
  return { markdown: processor.stringify(tree).trim(), lostPictures: data.lostPictures ?? 0 };
}

/** MathML says less than TeX: what reads it is loaded where there may be some, and done without otherwise. */
export const loadMathml = (): Promise<MathmlToTex | undefined> =>
  import('mathml-to-latex').then(
    ({ MathMLToLaTeX }) =>
      (mathml) =>
        MathMLToLaTeX.convert(mathml),
    () => undefined,
  );

/** Whether a text is more than paragraphs of plain words. */
function hasStructure(tree: Root): boolean {
  let found = false;
  walk<Nodes>(tree, ({ type }) => {
    found ||= !['paragraph', 'text', 'break'].includes(type);
  });
  return found;
}
