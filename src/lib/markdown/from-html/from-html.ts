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
import { CELL_BREAK } from '../../shared/signs.ts';
import { SCHEMA } from '../schema.ts';
import { some } from '../walk.ts';
import { rehypeClean } from './clean.ts';
import { isEditorCode } from './editor-code.ts';
import { formulaHandlers, formulaOrCode, remarkFormulaBlocks } from './formulas-to-markdown.ts';
import { mayHaveMathml, type MathmlToTex } from './formulas.ts';
import { remarkTidyMarks } from './tidy-marks.ts';

type State = Parameters<NonNullable<NonNullable<Options['handlers']>[string]>>[0];

/** Markdown allows only one line in a table cell, so line breaks there are HTML. */
function lineBreak(state: State, node: Element): Nodes {
  const result: Nodes = state.inTable ? { type: 'html', value: CELL_BREAK } : { type: 'break' };
  state.patch(node, result);
  return result;
}

export const ELEMENT_HANDLERS: NonNullable<Options['handlers']> = { br: lineBreak, code: formulaOrCode };

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
  // `remarkBreaks` reads a line end as a break.
  handlers: { break: () => '\n', ...formulaHandlers },
};

const processor = unified()
  .use(rehypeParse, { fragment: true })
  .use(rehypeClean)
  // Allows only article content; rehypeClean has already removed hidden content.
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeRemark, { handlers: ELEMENT_HANDLERS })
  .use(TO_MARKDOWN)
  .use(remarkStringify, STRINGIFY)
  .freeze();

/**
 * Markdown of a fragment, and the number of its pictures without a web address. `isCode` if it is the text of
 * a code editor, whose plain text is to be pasted as code.
 */
export interface FromHtml {
  markdown: string;
  lostPictures: number;
  isCode?: boolean;
}

export interface Data extends Record<string, unknown> {
  lostPictures?: number;
  toTex?: MathmlToTex | undefined;
}

/**
 * Converts HTML from the clipboard to markdown: keeps headings, emphasis, links, lists, tables, code,
 * formulas and pictures; removes scripts, styles, hidden text, and addresses other than web and mail.
 * @returns null if the HTML has no formatting, so the plain text from the clipboard can be used instead
 * @throws RangeError if the nesting overflows the stack
 */
export async function fromHtml(html: string): Promise<FromHtml | null> {
  const data: Data = { toTex: mayHaveMathml(html) ? await loadMathml() : undefined };
  const parsed = processor.parse(html);
  if (isEditorCode(parsed)) return { markdown: '', lostPictures: 0, isCode: true };
  const tree = processor.runSync(parsed, { value: html, data });
  if (!hasStructure(tree)) return null;
  return { markdown: processor.stringify(tree).trim(), lostPictures: data.lostPictures ?? 0 };
}

export const loadMathml = (): Promise<MathmlToTex | undefined> =>
  import('mathml-to-latex').then(
    ({ MathMLToLaTeX }) =>
      (mathml) =>
        MathMLToLaTeX.convert(mathml),
    () => undefined,
  );

const hasStructure = (tree: Root): boolean =>
  some<Nodes>(tree, ({ type }) => !['paragraph', 'text', 'break'].includes(type));
