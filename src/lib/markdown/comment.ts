import type { Root as Html } from 'hast';
import type { PhrasingContent, Root, RootContent } from 'mdast';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkBreaks from 'remark-breaks';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified, type Processor } from 'unified';
import { attributeText } from './attribute-text.ts';
import { remarkAutolinks } from './autolinks.ts';
import { decorate } from './decorate.ts';
import { textOf } from './elements.ts';
import { isTooComplex, refuseDeepLines } from './limits.ts';
import { linkMentions, type FindAccount } from './mentions.ts';
import { SCHEMA } from './schema.ts';
import { walk } from './walk.ts';

/**
 * The most HTML a comment becomes, in UTF-16 units: 40 of them with their texts and quotes stay within what
 * an answer may have (BOUNDS.commentsBytes). 2,000 characters of marks make 13,000.
 */
const MAX_HTML = 6_000;
/**
 * Marks outside code, and lines that begin an item or a quote. With more a comment is shown as typed: 2,000
 * characters of nothing else take up to a tenth of a second, these up to 8 ms (docs/decisions/0028).
 */
const MAX_MARKS = 120;
const MAX_ITEMS = 50;

/** Syntax that comments do not have: what is typed stays as it is. */
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

/** Whether markdown could make anything of a text: most comments are words, and need no parser. */
const MARKS = /[*_~`[\]<>&\\]|\w@\w|https?:|www\.|^[ \t]*(?:[-+]|\d{1,9}[.)])[ \t]/im;

/** What a comment may contain: of SCHEMA's elements a few, without ids and other attributes. */
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
  .use(remarkCjkFriendly)
  .use(remarkCjkStrikethrough)
  .use(remarkSmall)
  .use(remarkAutolinks)
  .use(remarkBreaks)
  .use(remarkRehype)
  .use(rehypeSanitize, COMMENT_SCHEMA)
  .use(rehypeStringify)
  .freeze();

/**
 * A comment's markdown as safe HTML: code, bold, emphasis, strikethrough, links, quotes and lists; pictures
 * become links, headings and HTML stay as typed.
 * @param find the account that a name after an `@` means: such a one is a link to its profile
 * @returns '' for a text that is shown as it is: nothing is marked in it, or too much to be laid out
 */
export function renderComment(source: string, find?: FindAccount): string {
  const tree = layOut(source, find);
  if (!tree || isPlain(tree, source)) return '';
  decorate(tree);
  const html = processor.stringify(tree).trim();
  return html.length > MAX_HTML ? '' : html;
}

/** The text of a comment as readers see it, without marks, and the addresses of its links. */
export function commentText(source: string): string {
  const tree = layOut(source);
  return tree ? [textOf(tree), attributeText(tree)].join('\n\n').trim() : source;
}

/** A comment as elements; null where nothing is marked in it, or too much to be laid out. */
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

/** Plugin: switches syntax off (micromark's `disable`), and makes links of pictures. */
function remarkSmall(this: Processor) {
  const data = this.data() as { micromarkExtensions?: unknown[] };
  (data.micromarkExtensions ??= []).push({ disable: { null: OFF } });
  return (tree: Root): void => {
    walk<RootContent>(tree, (node, index, parent) => {
      if (node.type !== 'image') return;
      const label: PhrasingContent = { type: 'text', value: node.alt || node.url };
      parent.children[index] = { type: 'link', url: node.url, children: [label] };
    });
  };
}

/** Whether a tree is paragraphs that say `source` letter for letter: nothing was marked, nothing escaped. */
function isPlain(tree: Html, source: string): boolean {
  let isPlain = textOf(tree).replaceAll(/\s/g, '') === source.replaceAll(/\s/g, '');
  walk<Html['children'][number]>(tree, (node) => {
    if (node.type === 'element' && node.tagName !== 'p' && node.tagName !== 'br') isPlain = false;
  });
  return isPlain;
}
