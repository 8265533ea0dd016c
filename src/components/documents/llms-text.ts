import type { Heading, List, Paragraph, PhrasingContent, Root } from 'mdast';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import type { ArticleCard, Site } from '../../lib/blog/blog.ts';
import { legalText } from '../../lib/shared/xml/legal-text.ts';
import { FEED_FILES, feedUrl, sourceUrl, tagsUrl } from '../../lib/shared/urls.ts';

const writer = unified().use(remarkStringify, { bullet: '-' });

const text = (value: string): PhrasingContent => ({
  type: 'text',
  value: legalText(value).replace(/\s+/g, ' ').trim(),
});
const paragraph = (...children: PhrasingContent[]): Paragraph => ({ type: 'paragraph', children });
const link = (url: string, name: string): PhrasingContent => ({ type: 'link', url, children: [text(name)] });
const list = (items: PhrasingContent[][]): List => ({
  type: 'list',
  spread: false,
  children: items.map((children) => ({ type: 'listItem', children: [paragraph(...children)] })),
});
const heading = (depth: 1 | 2, value: string): Heading => ({
  type: 'heading',
  depth,
  children: [text(value)],
});

/**
 * Formats llms.txt (llmstxt.org): information for language models, with links to the newest articles in
 * markdown.
 */
export function toLlmsText(articles: readonly ArticleCard[], site: Site): string {
  const root: Root = {
    type: 'root',
    children: [
      heading(1, site.title),
      { type: 'blockquote', children: [paragraph(text(site.description))] },
      paragraph(text('每篇文章的地址后面加上 .md，就是它的 Markdown 原文。')),
      heading(2, '最新文章'),
      list(
        articles.map(({ id, title, author, summary }) => [
          link(site.origin + sourceUrl(id), title),
          text(`：${[author, summary].filter((part) => part !== '').join('，')}`),
        ]),
      ),
      heading(2, 'Optional'),
      list([
        [link(`${site.origin}/sitemap.xml`, '网站地图')],
        [link(site.origin + feedUrl({ kind: 'site' }, 'rss'), `订阅 ${FEED_FILES.rss}`)],
        [link(site.origin + tagsUrl(), '全部标签')],
      ]),
    ],
  };
  return writer.stringify(root);
}
