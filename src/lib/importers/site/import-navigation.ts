import type { NavEntry } from '../../contract/rules/navigation.ts';
import { SITE_BOUNDS, SITE_PATTERNS } from '../../contract/rules/site-rules.ts';
import { articleUrl, pageUrl, tagUrl } from '../../shared/urls.ts';
import type { PlannedPage } from '../../server/articles/pages/import-pages.ts';
import type { ForeignEntry } from './foreign-site.ts';
import type { OldAddresses } from './old-addresses.ts';
import { fitText } from './site-run.ts';

/** Pages that sites of most products have, and those of this site. */
const COMMON: readonly [path: RegExp, href: string][] = [
  [/^\/?(?:home|index)?$/, '/home'],
  [/^\/(?:tags?|categor(?:y|ies))$/, '/tag/list'],
  [/^\/archives?$/, '/archive'],
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
