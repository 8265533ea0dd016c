import type { Feed, Site } from '../../lib/blog/blog.ts';
import { homeUrl, seriesUrl, tagUrl, userUrl, type FeedSubject } from '../urls.ts';

/** What every format says of a feed itself; addresses are absolute. */
export interface FeedHead {
  title: string;
  description: string;
  /** The page the feed is of. */
  page: string;
  /** The newest change in it, null where nothing is. */
  updated: string | null;
}

/** The page a feed is of, as a path. */
export function pageOfFeed(subject: FeedSubject): string {
  if (subject.kind === 'site') return homeUrl();
  const urls = { user: userUrl, tag: tagUrl, series: seriesUrl };
  return urls[subject.kind](subject.name);
}

/** Names a feed for readers who have many. */
export function feedTitle(subject: FeedSubject, title: string, site: Pick<Site, 'title'>): string {
  if (subject.kind === 'site') return site.title;
  return `${subject.kind === 'tag' ? `标签：${title}` : title} - ${site.title}`;
}

/** What is said of `feed`, which is of `subject`. */
export function describeFeed(subject: FeedSubject, feed: Feed, site: Site): FeedHead {
  const times = feed.items.map(({ updateTime }) => updateTime);
  return {
    title: feedTitle(subject, feed.title, site),
    description: feed.description || site.description || site.title,
    page: site.origin + pageOfFeed(subject),
    updated: times.toSorted().at(-1) ?? null,
  };
}
