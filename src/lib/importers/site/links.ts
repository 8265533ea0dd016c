import type { NavEntry } from '../../contract/rules/navigation.ts';
import { SITE_BOUNDS, SITE_PATTERNS } from '../../contract/rules/site-rules.ts';
import { articleUrl, pageUrl, tagUrl } from '../../shared/urls.ts';
import type { PlannedPage } from '../../server/articles/pages/import-pages.ts';
import type { ForeignEntry, ForeignFriend } from './foreign-site.ts';
import type { ImportService } from '../../server/articles/import/import-service.ts';
import type { OldAddresses } from './old-addresses.ts';
import { fitText } from './site-run.ts';

/** Pages that sites of most products have, and those of this site. */
const COMMON: readonly [path: RegExp, href: string][] = [
  [/^\/?(?:home|index)?$/, '/home'],
  [/^\/(?:tags?|categor(?:y|ies))$/, '/tag/list'],
  [/^\/archives?$/, '/archive'],
  [/^\/(?:friend|f?link)s?$/, '/friends'],
  [/^\/(?:feed|rss2?|atom|index)(?:\.xml)?$/, '/feed.xml'],
];

export interface EntryTargets {
  addresses: OldAddresses;
  /** Ids here of articles and pages, by key. */
  idOf(key: string): string | undefined;
  pages: ReadonlyMap<string, PlannedPage>;
}

/** Converts entries to those of this site; the rest are `lost`. */
export function toNavigation(
  entries: readonly ForeignEntry[],
  { addresses, idOf, pages }: EntryTargets,
): { navigation: NavEntry[]; lost: { what: string; why: string }[] } {
  const navigation = new Map<string, NavEntry>();
  const lost: { what: string; why: string }[] = [];
  const linkOf = (id: string): string => {
    const page = pages.get(id);
    return page ? pageUrl(page.slug) : articleUrl(id);
  };
  const hrefOf = ({ target }: ForeignEntry): string | null => {
    if ('tag' in target) return tagUrl(target.tag);
    if ('article' in target) {
      const id = idOf(target.article);
      return id === undefined ? null : linkOf(id);
    }
    const found = addresses.resolve(target.address);
    if (found.kind === 'article') return linkOf(found.id) + found.anchor;
    if (found.kind === 'other') return SITE_PATTERNS.href.test(target.address) ? target.address : null;
    const path = found.path.replace(/(?:\.html?|\/)+$/, '').toLowerCase();
    return COMMON.find(([pattern]) => pattern.test(path))?.[1] ?? null;
  };
  for (const entry of entries) {
    const href = hrefOf(entry);
    const { text } = fitText(entry.text.replace(/\s+/g, ' '), SITE_BOUNDS.entry[1]);
    const what = `导航“${text}”`;
    if (href === null) lost.push({ what, why: '指向的不是导入的文章或页面，没有导入' });
    else if (text !== '' && !navigation.has(href))
      navigation.set(href, { text, href, place: entry.place ?? 'header' });
  }
  return { navigation: [...navigation.values()], lost };
}

/** Returns the entries in one line, for a report. */
export const namesOf = (entries: readonly NavEntry[]): string =>
  entries.map(({ text, href }) => `${text}（${href}）`).join('、');

type AddFriends = (
  friends: Parameters<ImportService['addFriends']>[0],
) => ReturnType<ImportService['addFriends']>;

/**
 * Adds links to friends; returns their number, and Chinese sentences about losses.
 * @param logoOf returns the stored copy of a picture, '' without one
 */
export async function importFriends(
  friends: readonly ForeignFriend[],
  add: AddFriends,
  logoOf: (address: string) => Promise<string>,
): Promise<{ added: number; problems: string[] }> {
  if (friends.length === 0) return { added: 0, problems: [] };
  const line = (text: string | undefined, most: number) =>
    fitText((text ?? '').replace(/\s+/g, ' '), most).text;
  const converted = [];
  let lostLogos = 0;
  for (const { name, address: url, description, logo, group, feed } of friends) {
    const kept = logo === undefined ? '' : await logoOf(logo);
    if (logo !== undefined && kept === '') lostLogos++;
    const texts = {
      name: line(name || url, 50),
      description: line(description, 200),
      group: line(group, 30),
    };
    converted.push({ ...texts, url: url.trim(), logo: kept, feed: feed ?? '' });
  }
  const { added, problems } = await add(converted);
  const ofLogos = lostLogos > 0 ? [`${lostLogos} 个图标不在来源里，没有导入，可以在控制台填写`] : [];
  return { added, problems: [...problems, ...ofLogos] };
}
