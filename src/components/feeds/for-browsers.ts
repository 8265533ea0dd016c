import type { Element } from 'xast';
import type { FeedArticle, Site } from '../../lib/blog/blog.ts';
import { formatDay } from '../time.ts';
import { articleUrl } from '../urls.ts';
import { element } from './xml.ts';

/**
 * What a person sees of a feed that is opened in a browser, beside its own titles and texts
 * (src/styles/feed.css). Programs pass over it: it is XHTML among elements of RSS and Atom. Names that those
 * have too, such as `title`, are not used, since some readers look at no namespaces.
 */
export const HTML_NAMESPACE = { 'xmlns:html': 'http://www.w3.org/1999/xhtml' };

/** What a feed is and how to subscribe to it: its own address `self`, and the page it is of. */
export const toGuide = ({ self, page }: { self: string; page: string }): Element =>
  element(
    'html:header',
    {},
    // Without it a phone lays the document out as wide as a desk.
    element('html:meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('html:p', {}, '这是一份订阅源。把下面的地址加到任何一个 RSS 阅读器里，有新文章时它会告诉你。'),
    element('html:code', {}, self),
    element('html:a', { href: page }, '打开网页'),
  );

/** The day of an article, as the site's readers count days. */
export const toDay = ({ createTime }: FeedArticle, { timeZone }: Site): Element =>
  element('html:time', {}, formatDay(createTime, timeZone));

/** The way from an entry to its article. */
export const toLink = ({ id }: FeedArticle, { origin }: Site): Element =>
  element('html:a', { href: origin + articleUrl(id) }, '阅读全文');
