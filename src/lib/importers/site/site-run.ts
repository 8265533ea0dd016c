import { setImmediate } from 'node:timers/promises';
import type { ImportRecord } from '../../server/articles/import/import-service.ts';
import type { PlannedPage } from '../../server/articles/pages/import-pages.ts';
import type { Person, SiteImport } from '../../server/articles/import/site-import-service.ts';
import type { ForeignArticle, ForeignSite, ForeignUser } from './foreign-site.ts';
import type { OldAddresses } from './old-addresses.ts';
import type { SiteReport } from './site-report.ts';

export interface SiteOptions {
  isDryRun: boolean;
  /** Whether accounts of equal names belong to the same person. */
  mergesUsers: boolean;
  /** Whether hidden parts are left out, so that their articles can be public (`hideParts`). */
  omitsHidden?: boolean;
  /** Names of accounts here, by names on the old site; missing accounts are created. */
  map: ReadonlyMap<string, string>;
  signal?: AbortSignal;
  onProgress?(step: 'read' | 'articles' | 'comments', done: number, total: number | null): void;
  now?(): number;
}

export interface SiteRun {
  site: ForeignSite;
  store: SiteImport;
  options: SiteOptions;
  now: number;
  report: SiteReport;
  tallies: Map<string, { count: number }>;
  /** Accounts here, by key of the user in the source. */
  people: Map<string, Person>;
  /** Users who have only commented, and have no account here yet. */
  guests: Map<string, ForeignUser>;
  series: Map<string, string>;
  records: Map<string, ImportRecord>;
  /** Places of pages, by id, without pages that were imported as articles. */
  pages: Map<string, PlannedPage>;
  addresses: OldAddresses;
  /** Names of stored pictures, to count each once. */
  stored: Set<string>;
  pictures: { get(key: string): Promise<Taken> | undefined; set(key: string, taken: Promise<Taken>): void };
}

/** Address of a stored picture, or why it is not stored; '' means that the source does not contain it. */
export type Taken = { url: string } | { problem: string };

export function note({ report }: SiteRun, what: string, why: string): void {
  report.notes.push({ what, why });
}

/** Like `note`, but counts equal notes in one line. */
export function tally({ report, tallies }: SiteRun, what: string, why: string): void {
  const key = `${what}\0${why}`;
  const known = tallies.get(key);
  if (known) {
    known.count++;
    return;
  }
  const first = { what, why, count: 1 };
  tallies.set(key, first);
  report.notes.push(first);
}

export const nameOf = ({ title, key, page }: Pick<ForeignArticle, 'title' | 'key' | 'page'>): string =>
  `${page ? '页面' : '文章'}《${title.trim() === '' ? key : title.trim()}》`;

export const isStopped = ({ options }: SiteRun): boolean => options.signal?.aborted ?? false;

/** Like `isStopped`, but handles pending signals first: reading sources and SQLite is synchronous. */
export async function isStoppedNow(run: SiteRun): Promise<boolean> {
  await setImmediate();
  return isStopped(run);
}

/**
 * Returns a text that can be stored, of at most `most` characters; `isCut` tells whether it was shortened.
 */
export function fitText(text: string, most: number): { text: string; isCut: boolean } {
  const clean = text.toWellFormed().replaceAll('\0', '').trim();
  const characters = [...clean];
  if (characters.length <= most) return { text: clean, isCut: false };
  return {
    text: `${characters
      .slice(0, most - 1)
      .join('')
      .trimEnd()}…`,
    isCut: true,
  };
}
