import type { Site } from '../../lib/blog/blog.ts';
import type { FriendCircle, FriendEntry } from '../../lib/contract/calls/friend-calls.ts';
import type { Friend } from '../../lib/contract/entities.ts';
import { formatDay } from '../../lib/shared/time.ts';
import { CIRCLE_FEED, circleUrl } from '../../lib/shared/urls.ts';
import { element, toDocument } from '../../lib/shared/xml/xml.ts';
import { NAMESPACES, NEVER } from './atom.ts';
import { FEED_STYLE, toGuide } from './for-browsers.ts';

/** Writes the newest articles of friends as an Atom feed; each belongs to the site that wrote it. */
export function toCircleFeed({ entries }: FriendCircle, { origin, title, timeZone }: Site): string {
  const [self, page] = [origin + CIRCLE_FEED, origin + circleUrl()];
  const entryOf = ({ url, publish_time, friend, friend_url, ...entry }: FriendEntry) =>
    element(
      'entry',
      {},
      element('id', {}, url),
      element('title', {}, entry.title),
      element('link', { rel: 'alternate', type: 'text/html', href: url }),
      element('published', {}, publish_time),
      element('updated', {}, publish_time),
      element('author', {}, element('name', {}, friend), element('uri', {}, friend_url)),
      element('html:time', {}, `${formatDay(publish_time, timeZone)} ${friend}`),
      element('html:a', { href: url }, '阅读全文'),
    );
  const root = element(
    'feed',
    NAMESPACES,
    element('id', {}, self),
    element('title', {}, `朋友圈 - ${title}`),
    element('updated', {}, entries[0]?.publish_time ?? NEVER),
    element('link', { rel: 'self', type: 'application/atom+xml', href: self }),
    element('link', { rel: 'alternate', type: 'text/html', href: page }),
    element('author', {}, element('name', {}, title)),
    toGuide({ self, page }),
    ...entries.map(entryOf),
  );
  return toDocument(root, FEED_STYLE);
}

/** Writes the feeds of friends as OPML 2.0, with an outline for each group. */
export function toOpml(friends: readonly Friend[], { title }: Site): string {
  const fed = friends.filter(({ feed }) => feed !== '');
  const groups = Array.from(
    Map.groupBy(fed, ({ group }) => group),
    ([group, of]) => {
      const outlines = of.map(({ name: text, url: htmlUrl, feed: xmlUrl }) =>
        element('outline', { type: 'rss', text, title: text, xmlUrl, htmlUrl }),
      );
      return group === '' ? outlines : [element('outline', { text: group }, ...outlines)];
    },
  );
  const head = element('head', {}, element('title', {}, `${title}的友链`));
  return toDocument(element('opml', { version: '2.0' }, head, element('body', {}, ...groups.flat())));
}
