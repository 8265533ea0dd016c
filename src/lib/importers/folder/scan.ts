import type { ImportService } from '../../server/articles/import/import-service.ts';
import { readArticle, type Place } from './article.ts';
import { asText, pick } from '../../markdown-file/front-matter.ts';
import type { ForeignEntry } from '../site/foreign-site.ts';
import { entriesOf } from './site-data.ts';
import { naturally } from '../../shared/natural-order.ts';
import { explainInReport } from '../report.ts';
import type { Folder } from './walk.ts';

/** Result of the first pass over a folder; omits the texts, which may not fit into memory. */
export type Scanned = Awaited<ReturnType<typeof scan>>;

interface SourcePlace {
  path: string;
  title: string;
  slug: string;
  order: number;
}

interface Part {
  path: string;
  place: number;
  created: number;
}

/**
 * Reads every file once, because links are only rewritten to files that become articles.
 * @param takesPages whether pages of the site are imported
 * @param makesPages whether they become pages, not articles
 */
export async function scan(
  folder: Folder,
  imports: Pick<ImportService, 'fit'>,
  place: Place,
  { takesPages, makesPages }: { takesPages: boolean; makesPages: boolean },
) {
  const scanned = {
    addresses: new Map<string, string[]>(),
    titles: new Map<string, string>(),
    /** Former addresses, by path; an address that several files claim belongs to the first of them. */
    formerPaths: new Map<string, string[]>(),
    notes: new Map<string, string>(),
    hashes: [] as { path: string; hash: string }[],
    failures: new Map<string, string>(),
    pages: [] as { path: string; reason: string }[],
    /** Pages that become articles or pages of this site. */
    taken: [] as SourcePlace[],
    /** Entries of menus in front matter. */
    entries: [] as ForeignEntry[],
    series: new Map<string, string[]>(),
    unused: new Map<string, number>(),
  };
  const parts = new Map<string, Part[]>();
  const claimed = new Set<string>();
  for (const file of folder.files) {
    try {
      const article = await readArticle(file, place);
      const isLeft = !takesPages || article.body.trim() === '' || (makesPages && article.isMadeHere);
      if (article.page !== null && isLeft) {
        scanned.pages.push({ path: file.path, reason: article.page });
        continue;
      }
      imports.fit({ ...article, content: article.body });
      scanned.addresses.set(file.path, article.addresses);
      scanned.titles.set(file.path, article.title);
      const own = article.formerPaths.filter((each) => !claimed.has(each));
      for (const each of own) claimed.add(each);
      scanned.formerPaths.set(file.path, own);
      const others = article.formerPaths.filter((each) => !own.includes(each));
      if (others.length > 0) scanned.notes.set(file.path, alreadyTaken(others));
      const { path } = file;
      const { title, metadata } = article;
      const order = Number(asText(pick(metadata, 'weight', 'menu_order', 'nav_order', 'order')) || NaN);
      const slug = asText(pick(metadata, 'slug'));
      if (article.page !== null)
        scanned.taken.push({ path, title, slug, order: Number.isFinite(order) ? order : Infinity });
      scanned.entries.push(...entriesOf({ path, title, metadata }));
      scanned.hashes.push({ path: file.path, hash: article.hash });
      for (const name of article.unused) scanned.unused.set(name, (scanned.unused.get(name) ?? 0) + 1);
      if (article.seriesName === '') continue;
      const created = article.created ?? article.known.first;
      const part = { path: file.path, place: article.seriesPlace ?? Infinity, created };
      parts.set(article.seriesName, [...(parts.get(article.seriesName) ?? []), part]);
    } catch (error) {
      scanned.failures.set(file.path, explainInReport(error));
    }
  }
  for (const [name, each] of parts) scanned.series.set(name, inOrder(each));
  return scanned;
}

const inOrder = (parts: readonly Part[]): string[] =>
  parts
    .toSorted((a, b) => order(a.place, b.place) || order(a.created, b.created) || naturally(a.path, b.path))
    .map(({ path }) => path);

const order = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

export const alreadyTaken = (addresses: readonly string[]): string =>
  `旧地址已属于别的文章，没有登记：${addresses.join('、')}`;
