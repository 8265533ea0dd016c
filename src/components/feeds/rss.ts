import type { Feed, FeedArticle, Site } from '../../lib/blog/blog.ts';
import { articleUrl, feedUrl, type FeedSubject } from '../../lib/shared/urls.ts';
import { describeFeed, entryId, typeOfPicture } from './describe-feed.ts';
import { FEED_STYLE, HTML_NAMESPACE, toDay, toGuide, toLink } from './for-browsers.ts';
import { element, toDocument } from '../../lib/shared/xml/xml.ts';

const NAMESPACES = {
  version: '2.0',
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  ...HTML_NAMESPACE,
  'xml:lang': 'zh-CN',
};

/** RSS uses RFC 822 dates, like HTTP. */
const toRfc822 = (instant: string) => new Date(instant).toUTCString();

export function toRss(subject: FeedSubject, feed: Feed, site: Site): string {
  const { title, description, page, updated, icons } = describeFeed(subject, feed, site);
  const self = site.origin + feedUrl(subject, 'rss');
  const channel = element(
    'channel',
    {},
    element('title', {}, title),
    element('link', {}, page),
    toDescription(description),
    element('language', {}, 'zh-CN'),
    updated === null ? null : element('lastBuildDate', {}, toRfc822(updated)),
    element('atom:link', { rel: 'self', type: 'application/rss+xml', href: self }),
    icons
      ? element(
          'image',
          {},
          element('url', {}, icons.icon),
          element('title', {}, title),
          element('link', {}, page),
        )
      : null,
    toGuide({ self, page }),
    ...feed.items.map((item) => toItem(item, site)),
  );
  return toDocument(element('rss', NAMESPACES, channel), FEED_STYLE);
}

/**
 * Readers take a description as HTML (RSS Best Practices Profile), so plain text is escaped twice. Quotation
 * marks need none of it, and browsers show the text once unescaped (feed.css).
 */
const toDescription = (text: string) =>
  element('description', {}, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));

function toItem(item: FeedArticle, site: Site) {
  const address = site.origin + articleUrl(item.id, item.address);
  const guid = entryId(item, site);
  return element(
    'item',
    {},
    element('title', {}, item.title),
    element('link', {}, address),
    element('guid', { isPermaLink: 'true' }, guid),
    element('pubDate', {}, toRfc822(item.createTime)),
    element('dc:creator', {}, item.authorName),
    toDay(item, site),
    ...item.tags.map((tag) => element('category', {}, tag)),
    toDescription(item.summary),
    item.html === '' ? null : element('content:encoded', {}, item.html),
    item.cover
      ? element('enclosure', {
          url: site.origin + item.cover,
          length: item.coverBytes,
          type: typeOfPicture(item.cover),
        })
      : null,
    toLink(item, site),
  );
}
