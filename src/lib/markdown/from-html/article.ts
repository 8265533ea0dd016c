import type { ElementContent, Root } from 'hast';
import type { Root as MarkdownRoot, RootContent } from 'mdast';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkStringify from 'remark-stringify';
import { unified, type PluggableList } from 'unified';
import { CHINESE_PUNCTUATION, linkAddresses } from '../syntax/autolinks.ts';
import { COMMENT_SCHEMA } from '../comment.ts';
import { element, HEADINGS, isElement, textOf } from '../elements.ts';
import { SCHEMA } from '../schema.ts';
import { walk } from '../walk.ts';
import { ARTICLE_HANDLERS, OWN_ATTRIBUTES, OWN_ELEMENTS, writeRawBlock } from './article-handlers.ts';
import { rehypeArticle, type ArticleOptions } from './article-tree.ts';
import { rehypeClean } from './clean.ts';
import { mayHaveMathml } from './formulas.ts';
import {
  ELEMENT_HANDLERS,
  loadMathml,
  STRINGIFY,
  TO_MARKDOWN,
  type Data,
  type FromHtml,
} from './from-html.ts';

const ARTICLE_SCHEMA: Schema = {
  ...SCHEMA,
  tagNames: [...(SCHEMA.tagNames ?? []), ...OWN_ELEMENTS],
  attributes: { ...SCHEMA.attributes, ...OWN_ATTRIBUTES },
  protocols: { ...SCHEMA.protocols, src: [...(SCHEMA.protocols?.['src'] ?? []), 'data'] },
};
const REMARK_SCHEMA: Schema = {
  ...COMMENT_SCHEMA,
  tagNames: [...(COMMENT_SCHEMA.tagNames ?? []), 'b', 'i', 's', 'strike'],
};

const CHARACTERS = `[^\\s<>"${CHINESE_PUNCTUATION}]`;
/** Matches a bare address without the punctuation of the surrounding sentence. */
const ADDRESS = new RegExp(`https?://${CHARACTERS}*[^\\s<>"${CHINESE_PUNCTUATION}.,:;!?'")\\]*_~]`, 'gi');

/** Remark plugin: turns bare addresses into links, as pages do (syntax/autolinks.ts). */
function remarkBareAddresses() {
  return (tree: MarkdownRoot): void => {
    walk<RootContent>(tree, (node, index, parent) => {
      if (node.type === 'link') return 'skip';
      if (node.type === 'text' && /https?:\/\//i.test(node.value))
        parent.children.splice(index, 1, ...linkAddresses(node.value, ADDRESS));
      return undefined;
    });
  };
}

/**
 * Rehype plugin: replaces elements that comments do not support: headings become bold, pictures become links.
 */
function rehypeComment() {
  return (tree: Root): void => {
    walk<ElementContent>(tree as { children: ElementContent[] }, (node, index, parent) => {
      if (isElement(node, ...HEADINGS))
        parent.children[index] = element('p', {}, [element('strong', {}, node.children)]);
      if (isElement(node, 'img') && typeof node.properties.src === 'string') {
        const { alt, src } = node.properties;
        parent.children[index] = element('a', { href: src }, [{ type: 'text', value: alt || src }]);
      }
      if (isElement(node, 'moye-frame')) {
        const { src, title } = node.properties as { src: string; title?: string };
        const link = element('a', { href: src }, [{ type: 'text', value: title || src }]);
        parent.children[index] = element('p', {}, [link]);
      }
    });
  };
}

const WRITE: PluggableList = [remarkBareAddresses, ...TO_MARKDOWN];

const articles = unified()
  .use(rehypeParse, { fragment: true })
  .use([rehypeArticle, rehypeClean])
  .use([[rehypeSanitize, ARTICLE_SCHEMA]])
  .use(rehypeRemark, { handlers: { ...ELEMENT_HANDLERS, ...ARTICLE_HANDLERS } })
  .use(WRITE)
  .use(remarkStringify, { ...STRINGIFY, handlers: { ...STRINGIFY.handlers, ...writeRawBlock } })
  .freeze();

const comments = unified()
  .use(rehypeParse, { fragment: true })
  .use([rehypeArticle, rehypeComment, rehypeClean])
  .use([[rehypeSanitize, REMARK_SCHEMA]])
  .use(rehypeRemark, { handlers: ELEMENT_HANDLERS })
  .use(WRITE)
  .use(remarkStringify, STRINGIFY)
  .freeze();

export type { ArticleOptions } from './article-tree.ts';

/**
 * Converts the HTML of a whole article, as another product stored it, to this site's markdown. In addition to
 * `fromHtml` it converts frames and media to cards, and supports captions, `details`, footnotes and
 * `<!--more-->`.
 * @throws RangeError if the nesting overflows the stack
 */
export const articleFromHtml = (html: string, options: ArticleOptions): Promise<FromHtml> =>
  convert(articles, html, options);

/** Converts a comment like `articleFromHtml`; content that comments do not support becomes text or links. */
export const commentFromHtml = (html: string, options: ArticleOptions): Promise<FromHtml> =>
  convert(comments, html, options);

async function convert(processor: typeof articles, html: string, article: ArticleOptions): Promise<FromHtml> {
  const toTex = mayHaveMathml(html) ? await loadMathml() : undefined;
  const data: Data & { article: ArticleOptions } = { toTex, article };
  const file = { value: html, data };
  const tree = processor.runSync(processor.parse(html), file);
  return { markdown: processor.stringify(tree).trim(), lostPictures: data.lostPictures ?? 0 };
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

/** Returns the visible text of HTML on one line, for titles and names that are stored as HTML. */
export const wordsOf = (html: string): string =>
  (/[<&]/.test(html) ? textOf(parser.parse(html)) : html).replace(/\s+/g, ' ').trim();
