import type { Feed, FeedArticle, Site } from '../../lib/blog/blog.ts';
import { articleUrl, homeUrl, seriesUrl, tagUrl, userUrl, type FeedSubject } from '../../lib/shared/urls.ts';

function pageOfFeed(subject: FeedSubject): string {
  if (subject.kind === 'site') return homeUrl();
  const urls = { user: userUrl, tag: tagUrl, series: seriesUrl };
  return urls[subject.kind](subject.name);
}

/** Returns the id of an article in feeds. It never changes: readers show an entry with another id as new. */
export const entryId = ({ id }: FeedArticle, { origin }: Pick<Site, 'origin'>): string =>
  origin + articleUrl(id);

export function feedTitle(subject: FeedSubject, title: string, site: Pick<Site, 'title'>): string {
  if (subject.kind === 'site') return site.title;
  return `${subject.kind === 'tag' ? `标签：${title}` : title} - ${site.title}`;
}

/**
 * Returns the metadata of a feed that all formats share. The address of its page is absolute; `updated` is
 * the time of its newest change, null for an empty feed. `icons` is null while they show the project's mark.
 */
export function describeFeed(subject: FeedSubject, feed: Feed, site: Site) {
  const times = feed.items.map(({ updateTime }) => updateTime);
  return {
    title: feedTitle(subject, feed.title, site),
    description: feed.description || site.description || site.title,
    page: site.origin + pageOfFeed(subject),
    updated: times.toSorted().at(-1) ?? null,
    icons: site.icons ? iconsOf(site) : null,
  };
}

/** Absolute addresses of the site's own icons and logo. */
const iconsOf = ({ origin, icons, logo }: Site) => ({
  icon: `${origin}/icon-192.png${icons}`,
  large: `${origin}/icon-512.png${icons}`,
  logo: logo && origin + logo.src,
});

const TYPES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

export const typeOfPicture = (address: string): string =>
  TYPES[/\.(\w+)$/.exec(address)?.[1] ?? ''] ?? 'image/webp';
