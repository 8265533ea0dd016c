import type { Root as Html } from 'hast';
import type { PhrasingContent, Root, RootContent } from 'mdast';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified, type Processor } from 'unified';
import { attributeText } from './attribute-text.ts';
import { remarkAutolinks } from './syntax/autolinks.ts';
import { decorate } from './decorate.ts';
import { isElement, textOf } from './elements.ts';
import { isTooComplex, refuseDeepLines } from './limits.ts';
import { remarkMarks } from './syntax/marks.ts';
import { linkMentions, type FindAccount } from './syntax/mentions.ts';
import { SCHEMA } from './schema.ts';
import { some, walk } from './walk.ts';

/**
 * Maximum HTML of a comment, in UTF-16 units: 40 comments with their texts and quotes fit into a response
 * (BOUNDS.commentsBytes). 2,000 characters of markup produce 13,000 units.
 */
const MAX_HTML_CHARACTERS = 6_000;
/**
 * Maximum markup characters outside code, and maximum lines that begin a list item or a quote. A comment
 * beyond them is shown as typed: 2,000 characters of pure markup take up to 0.1 s to render, a comment within
 * the limits up to 8 ms (docs/features/comments.md).
 */
const MAX_MARKS = 120;
const MAX_ITEMS = 50;

const OFF = [
  'headingAtx',
  'setextUnderline',
  'htmlFlow',
  'htmlText',
  'definition',
  'codeIndented',
  'thematicBreak',
  'table',
  'tasklistCheck',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
  'gfmFootnoteDefinition',
];

/** Tests whether a text may contain markdown. Most comments are plain words and skip the parser. */
const MARKS = /[*_~`[\]<>&\\]|\w@\w|https?:|www\.|^[ \t]*(?:[-+]|\d{1,9}[.)])[ \t]/im;

export const COMMENT_SCHEMA: Schema = {
  ...SCHEMA,
  tagNames: 'p br strong em del code pre blockquote ul ol li a'.split(' '),
  attributes: { a: ['href'], code: SCHEMA.attributes?.['code'] ?? [], ol: ['start'] },
  ancestors: {},
  required: {},
};

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMarks)
  .use(remarkSmall)
  .use(remarkAutolinks)
  .use(remarkBreaks)
  .use(remarkRehype)
  .use(rehypeSanitize, COMMENT_SCHEMA)
  .use(rehypeStringify)
  .freeze();

/**
 * Renders a comment's markdown to safe HTML: code, bold, emphasis, strikethrough, links, quotes and lists.
 * Images become links; headings and HTML stay as typed.
 * @param find finds the account for a name after `@`; a match becomes a link to the profile
 * @returns '' if the text is shown as typed: it has no markup, or exceeds the limits
 */
export function renderComment(source: string, find?: FindAccount): string {
  const tree = layOut(source, find);
  if (!tree || isPlain(tree, source)) return '';
  decorate(tree);
  const html = processor.stringify(tree).trim();
  return html.length > MAX_HTML_CHARACTERS ? '' : html;
}

/** Returns a comment's visible text without markup, followed by the addresses of its links. */
export function commentText(source: string): string {
  const tree = layOut(source);
  return tree ? [textOf(tree), attributeText(tree)].join('\n\n').trim() : source;
}

/** Parses a comment to elements; null if it has no markup or exceeds the limits. */
function layOut(source: string, find?: FindAccount): Html | null {
  if ((!find && !MARKS.test(source)) || isMuch(source)) return null;
  try {
    refuseDeepLines(source);
    const parsed = processor.parse(source);
    if (find) linkMentions(parsed, find);
    return processor.runSync(parsed);
  } catch (error) {
    if (isTooComplex(error)) return null;
    throw error;
  }
}

function isMuch(source: string): boolean {
  const open = source.replaceAll(/^(`{3,}|~{3,})[^\n]*\n(?:(?!\1)[^\n]*\n)*\1/gm, '');
  const count = (pattern: RegExp) => Array.from(open.matchAll(pattern)).length;
  return (
    count(/[*_~`[\]<&\\@]|https?:|www\./g) > MAX_MARKS || count(/^[ \t]*(?:[-+*>]|\d{1,9}[.)])/gm) > MAX_ITEMS
  );
}

/** Plugin: switches syntax off (micromark's `disable`) and turns images into links. */
function remarkSmall(this: Processor) {
  (this.data().micromarkExtensions ??= []).push({ disable: { null: OFF } });
  return (tree: Root): void => {
    walk<RootContent>(tree, (node, index, parent) => {
      if (node.type !== 'image') return;
      const label: PhrasingContent = { type: 'text', value: node.alt || node.url };
      parent.children[index] = { type: 'link', url: node.url, children: [label] };
    });
  };
}

/** Whether a tree is just paragraphs with exactly the text of `source`: no markup and no escapes. */
function isPlain(tree: Html, source: string): boolean {
  if (textOf(tree).replaceAll(/\s/g, '') !== source.replaceAll(/\s/g, '')) return false;
  return !some<Html['children'][number]>(tree, (node) => isElement(node) && !isElement(node, 'p', 'br'));
}
