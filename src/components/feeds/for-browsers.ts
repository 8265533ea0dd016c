import type { Element } from 'xast';
import type { FeedArticle, Site } from '../../lib/blog/blog.ts';
import { formatDay } from '../../lib/shared/time.ts';
import { articleUrl } from '../../lib/shared/urls.ts';
import { element } from './xml.ts';

/**
 * XHTML elements that a browser shows when a person opens a feed, in addition to its titles and texts
 * (src/styles/feed.css). Feed readers ignore elements of other namespaces. Names that RSS or Atom also use,
 * such as `title`, are avoided, because some readers ignore namespaces.
 */
export const HTML_NAMESPACE = { 'xmlns:html': 'http://www.w3.org/1999/xhtml' };

/**
 * Explains feeds and how to subscribe. `self` is the feed's address, `page` the page with the same content.
 */
export const toGuide = ({ self, page }: { self: string; page: string }): Element =>
  element(
    'html:header',
    {},
    // Without it, phones use a desktop-width layout.
    element('html:meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('html:p', {}, '这是一份订阅源。把下面的地址加到任何一个 RSS 阅读器里，有新文章时它会告诉你。'),
    element('html:code', {}, self),
    element('html:a', { href: page }, '打开网页'),
  );

export const toDay = ({ createTime }: FeedArticle, { timeZone }: Site): Element =>
  element('html:time', {}, formatDay(createTime, timeZone));

export const toLink = ({ id }: FeedArticle, { origin }: Site): Element =>
  element('html:a', { href: origin + articleUrl(id) }, '阅读全文');
