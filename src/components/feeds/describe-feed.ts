import type { Feed, Site } from '../../lib/blog/blog.ts';
import { homeUrl, seriesUrl, tagUrl, userUrl, type FeedSubject } from '../../lib/shared/urls.ts';

/** Metadata of a feed, shared by all formats; addresses are absolute. */
export interface FeedHead {
  title: string;
  description: string;
  page: string;
  /** Time of its newest change; null for an empty feed. */
  updated: string | null;
}

function pageOfFeed(subject: FeedSubject): string {
  if (subject.kind === 'site') return homeUrl();
  const urls = { user: userUrl, tag: tagUrl, series: seriesUrl };
  return urls[subject.kind](subject.name);
}

export function feedTitle(subject: FeedSubject, title: string, site: Pick<Site, 'title'>): string {
  if (subject.kind === 'site') return site.title;
  return `${subject.kind === 'tag' ? `标签：${title}` : title} - ${site.title}`;
}

export function describeFeed(subject: FeedSubject, feed: Feed, site: Site): FeedHead {
  const times = feed.items.map(({ updateTime }) => updateTime);
  return {
    title: feedTitle(subject, feed.title, site),
    description: feed.description || site.description || site.title,
    page: site.origin + pageOfFeed(subject),
    updated: times.toSorted().at(-1) ?? null,
  };
}
