import type { Site } from '../../lib/blog/blog.ts';
import type { FriendCircle } from '../../lib/contract/calls/friend-calls.ts';
import type { Friend } from '../../lib/contract/entities.ts';
import { formatDay } from '../../lib/shared/time.ts';
import { CIRCLE_FEED, circleUrl, OPML } from '../../lib/shared/urls.ts';
import { element, toDocument } from '../../lib/shared/xml/xml.ts';
import { NAMESPACES, NEVER } from './atom.ts';
import { FEED_STYLE, toGuide } from './for-browsers.ts';

/** Writes the newest articles of friends as an Atom feed; each belongs to the site that wrote it. */
export function toCircleFeed({ entries }: FriendCircle, { origin, title, timeZone }: Site): string {
  const [self, page] = [origin + CIRCLE_FEED, origin + circleUrl()];
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
    ...entries.map((entry) =>
      element(
        'entry',
        {},
        element('id', {}, entry.url),
        element('title', {}, entry.title),
        element('link', { rel: 'alternate', type: 'text/html', href: entry.url }),
        element('published', {}, entry.publish_time),
        element('updated', {}, entry.publish_time),
        element('author', {}, element('name', {}, entry.friend), element('uri', {}, entry.friend_url)),
        element('html:time', {}, `${formatDay(entry.publish_time, timeZone)} ${entry.friend}`),
        element('html:a', { href: entry.url }, '阅读全文'),
      ),
    ),
  );
  return toDocument(root, FEED_STYLE);
}

/** Writes the feeds of friends as OPML 2.0, one outline for each group. */
export function toOpml(friends: readonly Friend[], { origin, title }: Site): string {
  const outlineOf = ({ name, url, feed, description }: Friend) =>
    element('outline', { type: 'rss', text: name, title: name, xmlUrl: feed, htmlUrl: url, description });
  const groups = Map.groupBy(
    friends.filter(({ feed }) => feed !== ''),
    ({ group }) => group,
  );
  const outlines = Array.from(groups, ([group, of]) =>
    group === '' ? of.map(outlineOf) : [element('outline', { text: group }, ...of.map(outlineOf))],
  );
  const head = element(
    'head',
    {},
    element('title', {}, `${title}的友链`),
    element('docs', {}, origin + OPML),
  );
  return toDocument(element('opml', { version: '2.0' }, head, element('body', {}, ...outlines.flat())));
}
