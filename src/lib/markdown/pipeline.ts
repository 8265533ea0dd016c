import type { ElementContent, Root, RootContent } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkBreaks from 'remark-breaks';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified, type PluggableList } from 'unified';
import { remarkAutolinks } from './autolinks.ts';
import { remarkCallouts } from './callouts.ts';
import { remarkCodeMeta } from './code-meta.ts';
import { remarkDefinitionLists } from './definition-lists.ts';
import { element, isElement } from './elements.ts';
import { rehypeFrames } from './frames.ts';
import { rehypeHeadingIds } from './heading-ids.ts';
import { rehypeRefuseDeepTree, rehypeRefuseManyHeadings } from './limits.ts';
import { remarkMath } from './math.ts';
import { remarkOpenTags } from './open-tags.ts';
import { SCHEMA } from './schema.ts';
import { walk } from './walk.ts';

/** Parses raw HTML where there is any: the detour over the HTML parser costs a quarter of the time. */
function rehypeParseRaw({ always = false } = {}) {
  const parse = rehypeRaw();
  return (tree: Root, file: Parameters<typeof parse>[1]): Root => {
    let hasRaw = always;
    walk<RootContent>(tree, ({ type }) => {
      hasRaw ||= type === 'raw';
    });
    return hasRaw ? openTemplates(parse(tree, file)) : tree;
  };
}

/** What a `template` holds beside the tree comes into it: of what the sanitiser takes the text stays. */
function openTemplates(tree: Root): Root {
  walk<RootContent>(tree, (node) => {
    if (isElement(node, 'template')) node.children = (node.content?.children ?? []) as ElementContent[];
  });
  return tree;
}

/** Markdown's syntax. */
const SYNTAX: PluggableList = [remarkParse, remarkGfm, remarkCjkFriendly, remarkCjkStrikethrough, remarkMath];

/** What leads back from a note; a second mark in the text has its number on it. */
const backContent = (_note: number, mark: number): ElementContent[] => [
  { type: 'text', value: '↩\ufe0e' },
  ...(mark > 1 ? [element('sup', {}, [{ type: 'text', value: String(mark) }])] : []),
];

/** From markdown's tree to HTML's. */
const TO_HTML: PluggableList = [
  remarkOpenTags,
  remarkAutolinks,
  remarkCallouts,
  remarkCodeMeta,
  remarkDefinitionLists,
  remarkBreaks,
  [
    remarkRehype,
    {
      allowDangerousHtml: true,
      // The sanitiser adds the prefix, to these ids as to all others.
      clobberPrefix: '',
      footnoteLabel: '脚注',
      footnoteLabelProperties: {},
      // Each way back has a name of its own; the sign is text, where phones would draw a picture.
      footnoteBackLabel: (note: number, mark: number) =>
        mark > 1 ? `脚注 ${note + 1}：返回正文第 ${mark} 处` : `脚注 ${note + 1}：返回正文`,
      footnoteBackContent: backContent,
    },
  ],
];

const SAFE: PluggableList = [
  rehypeRefuseDeepTree,
  rehypeRefuseManyHeadings,
  rehypeFrames,
  [rehypeSanitize, SCHEMA],
];

const processor = unified()
  .use(SYNTAX)
  .use(TO_HTML)
  .use([rehypeParseRaw])
  .use(SAFE)
  .use([rehypeHeadingIds])
  .use(rehypeStringify)
  .freeze();
const toElements = unified().use(TO_HTML).freeze();
const parseRaw = unified().use([rehypeParseRaw]).freeze();
const parseAsRaw = unified()
  .use([[rehypeParseRaw, { always: true }]])
  .freeze();
const sanitise = unified().use(SAFE).freeze();

/**
 * Markdown to a sanitised tree whose headings have slugs. What runs after the sanitiser (decorate.ts,
 * code.ts) adds constants of ours to SCHEMA's elements; sanitising after the highlighter would let authors
 * use our classes and `tabindex`.
 * @returns the tree; top-level nodes keep their position in `source`
 */
export function toSafeTree(source: string): Root {
  // The text goes along because rehype-raw keeps no positions without it.
  return processor.runSync(processor.parse(source), source) as Root;
}

/** The steps of `toSafeTree`, for whoever renders an article in parts (live.ts); headings get no slugs. */
export const steps = {
  parse: (source: string) => processor.parse(source) as MarkdownRoot,
  /** Markdown's tree to HTML's, where raw HTML stays text. Changes the tree it is given. */
  toElements: (tree: MarkdownRoot) => toElements.runSync(tree) as Root,
  /** `always`: also without raw HTML, as the whole article is parsed where it has some. */
  parseRaw: (tree: Root, source: string, always = false) =>
    (always ? parseAsRaw : parseRaw).runSync(tree, source) as Root,
  sanitise: (tree: Root) => sanitise.runSync(tree) as Root,
};

/** A tree as HTML. Text and attributes are escaped; nothing in a tree can stand for markup. */
export function toHtml(tree: Root): string {
  return processor.stringify(tree);
}
