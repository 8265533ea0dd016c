import type { ElementContent, Root, RootContent } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import remarkRehype from 'remark-rehype';
import { unified, type PluggableList } from 'unified';
import { remarkAutolinks } from './syntax/autolinks.ts';
import { remarkCallouts } from './syntax/callouts.ts';
import { remarkCodeMeta } from './code/code-meta.ts';
import { remarkDefinitionLists } from './syntax/definition-lists.ts';
import { element, isElement } from './elements.ts';
import { rehypeFrames } from './embeds/frames.ts';
import { rehypeHeadingIds } from './syntax/heading-ids.ts';
import { rehypeRefuseDeepTree, rehypeRefuseManyHeadings } from './limits.ts';
import { remarkMarks } from './syntax/marks.ts';
import { remarkMath } from './math/math.ts';
import { remarkOpenTags } from './syntax/open-tags.ts';
import { remarkParser } from './syntax/parser.ts';
import { remarkUnknownTags } from './syntax/unknown-tags.ts';
import { SCHEMA } from './schema.ts';
import { some, walk } from './walk.ts';

/** Parses raw HTML only if there is any: the HTML parser would add a quarter to the time. */
function rehypeParseRaw({ always = false } = {}) {
  const parse = rehypeRaw();
  return (tree: Root, file: Parameters<typeof parse>[1]): Root => {
    const hasRaw = always || some<RootContent>(tree, ({ type }) => type === 'raw');
    return hasRaw ? openTemplates(parse(tree, file)) : tree;
  };
}

/** Moves the content of `template` into the tree, because the text of removed elements is kept. */
function openTemplates(tree: Root): Root {
  walk<RootContent>(tree, (node) => {
    if (isElement(node, 'template')) node.children = (node.content?.children ?? []) as ElementContent[];
  });
  return tree;
}

const SYNTAX: PluggableList = [remarkParser, remarkGfm, remarkMarks, remarkMath];

const backContent = (_note: number, mark: number): ElementContent[] => [
  { type: 'text', value: '↩\ufe0e' },
  ...(mark > 1 ? [element('sup', {}, [{ type: 'text', value: String(mark) }])] : []),
];

const TO_HTML: PluggableList = [
  remarkUnknownTags,
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
      // The sanitiser adds its prefix to these ids as to all others.
      clobberPrefix: '',
      footnoteLabel: '脚注',
      footnoteLabelProperties: {},
      // Every back link has a distinct name. The arrow is followed by a text selector, because phones would
      // show an emoji.
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
 * Converts markdown to a sanitised tree whose headings have slugs. Steps after the sanitiser (decorate.ts,
 * code.ts) add our own constants to the elements of SCHEMA. Sanitising after them would require allowing our
 * classes and `tabindex`, which authors could then use.
 * @returns the tree; top-level nodes keep their position in `source`
 */
export function toSafeTree(source: string): Root {
  // rehype-raw needs the source to keep positions.
  return processor.runSync(processor.parse(source), source) as Root;
}

/** The steps of `toSafeTree`, for rendering an article in parts (live.ts); headings get no slugs. */
export const steps = {
  parse: (source: string) => processor.parse(source) as MarkdownRoot,
  /** Converts the markdown tree to an HTML tree in which raw HTML is not yet parsed. Modifies `tree`. */
  toElements: (tree: MarkdownRoot) => toElements.runSync(tree) as Root,
  /** With `always`, runs the HTML parser even without raw HTML, as for an article that has some elsewhere. */
  parseRaw: (tree: Root, source: string, always = false) =>
    (always ? parseAsRaw : parseRaw).runSync(tree, source) as Root,
  sanitise: (tree: Root) => sanitise.runSync(tree) as Root,
};

/** Serialises a tree. Text and attributes are escaped, so no node can produce markup. */
export function toHtml(tree: Root): string {
  return processor.stringify(tree);
}
