import type { Root, RootContent } from 'hast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkBreaks from 'remark-breaks';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { remarkAutolinks } from './autolinks.ts';
import { remarkCallouts } from './callouts.ts';
import { rehypeHeadingIds } from './heading-ids.ts';
import { rehypeRefuseDeepTree, rehypeRefuseManyHeadings } from './limits.ts';
import { SCHEMA } from './schema.ts';
import { walk } from './walk.ts';

/** Parses raw HTML where there is any: the detour over the HTML parser costs a quarter of the time. */
function rehypeParseRaw() {
  const parse = rehypeRaw();
  return (tree: Root, file: Parameters<typeof parse>[1]): Root => {
    let hasRaw = false;
    walk<RootContent>(tree, ({ type }) => {
      hasRaw ||= type === 'raw';
    });
    return hasRaw ? parse(tree, file) : tree;
  };
}

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkCjkFriendly)
  .use(remarkCjkStrikethrough)
  .use(remarkAutolinks)
  .use(remarkCallouts)
  .use(remarkBreaks)
  .use(remarkRehype, {
    allowDangerousHtml: true,
    // The sanitiser adds the prefix, to these ids as to all others.
    clobberPrefix: '',
    footnoteLabel: '脚注',
    footnoteLabelProperties: {},
    footnoteBackLabel: '返回正文',
  })
  .use(rehypeParseRaw)
  .use(rehypeRefuseDeepTree)
  .use(rehypeRefuseManyHeadings)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeHeadingIds)
  .use(rehypeStringify)
  .freeze();

/**
 * Markdown to a sanitised tree whose headings have slugs. What runs after the sanitiser (decorate.ts,
 * code.ts) adds constants of ours to SCHEMA's elements; sanitising after the highlighter would let authors
 * use our classes and `tabindex`.
 * @returns the tree; top-level nodes keep their position in `source`
 */
export function toSafeTree(source: string): Root {
  // The text goes along because rehype-raw keeps no positions without it.
  return processor.runSync(processor.parse(source), source);
}

/** A tree as HTML. Text and attributes are escaped; nothing in a tree can stand for markup. */
export function toHtml(tree: Root): string {
  return processor.stringify(tree);
}
