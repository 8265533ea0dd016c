import type { Feed, FeedArticle, Site } from '../../lib/blog/blog.ts';
import { articleUrl, feedUrl, userUrl, type FeedSubject } from '../../lib/shared/urls.ts';
import { describeFeed, entryId, typeOfPicture } from './describe-feed.ts';
import { FEED_STYLE, HTML_NAMESPACE, toDay, toGuide, toLink } from './for-browsers.ts';
import { element, toDocument } from '../../lib/shared/xml/xml.ts';

export const NAMESPACES = {
  xmlns: 'http://www.w3.org/2005/Atom',
  ...HTML_NAMESPACE,
  'xml:lang': 'zh-CN',
};
/** `updated` of an empty feed, because Atom requires the element. */
export const NEVER = new Date(0).toISOString();

export function toAtom(subject: FeedSubject, feed: Feed, site: Site): string {
  const { title, description, page, updated, icons } = describeFeed(subject, feed, site);
  const self = site.origin + feedUrl(subject, 'atom');
  const root = element(
    'feed',
    NAMESPACES,
    element('id', {}, self),
    element('title', {}, title),
    element('subtitle', {}, description),
    element('updated', {}, updated ?? NEVER),
    element('link', { rel: 'self', type: 'application/atom+xml', href: self }),
    element('link', { rel: 'alternate', type: 'text/html', href: page }),
    // Author for entries without one; required in a feed without entries.
    element('author', {}, element('name', {}, subject.kind === 'user' ? feed.title : site.title)),
    icons ? element('icon', {}, icons.icon) : null,
    icons?.logo ? element('logo', {}, icons.logo) : null,
    toGuide({ self, page }),
    ...feed.items.map((item) => toEntry(item, site)),
  );
  return toDocument(root, FEED_STYLE);
}

function toEntry(item: FeedArticle, site: Site) {
  const address = site.origin + articleUrl(item.id, item.address);
  const author = site.origin + userUrl(item.author);
  return element(
    'entry',
    {},
    element('id', {}, entryId(item, site)),
    element('title', {}, item.title),
    element('link', { rel: 'alternate', type: 'text/html', href: address }),
    element('published', {}, item.createTime),
    element('updated', {}, item.updateTime),
    element('author', {}, element('name', {}, item.authorName), element('uri', {}, author)),
    toDay(item, site),
    ...item.tags.map((tag) => element('category', { term: tag })),
    element('summary', {}, item.summary),
    item.html === '' ? null : element('content', { type: 'html' }, item.html),
    item.cover
      ? element('link', {
          rel: 'enclosure',
          href: site.origin + item.cover,
          ...(item.coverBytes > 0 ? { length: item.coverBytes } : {}),
          type: typeOfPicture(item.cover),
        })
      : null,
    toLink(item, site),
  );
}
