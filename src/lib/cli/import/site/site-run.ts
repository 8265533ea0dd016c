import { setImmediate } from 'node:timers/promises';
import type { ImportRecord } from '../../../server/articles/import-service.ts';
import type { Person } from '../../../server/articles/site-import-parts.ts';
import type { SiteImport } from '../../../server/articles/site-import-service.ts';
import type { ForeignArticle, ForeignSite, ForeignUser } from './foreign-site.ts';
import type { OldAddresses } from './old-addresses.ts';
import type { SiteReport } from './site-report.ts';

export interface SiteOptions {
  /** Nothing is written; the report is the same. */
  isDryRun: boolean;
  /** Accounts of equal names stand for one another. */
  mergesUsers: boolean;
  /** Which account here stands for that of the other site, by names; it is made where there is none. */
  map: ReadonlyMap<string, string>;
  /** Ends the run after what is under way. */
  signal?: AbortSignal;
  /** `total` is null where nothing tells how many there are. */
  onProgress?(step: 'read' | 'articles' | 'comments', done: number, total: number | null): void;
  /** Milliseconds since the epoch. */
  now?(): number;
}

/** One run, and what it knows. */
export interface SiteRun {
  site: ForeignSite;
  store: SiteImport;
  options: SiteOptions;
  now: number;
  report: SiteReport;
  /** Notes of the report that count. */
  tallies: Map<string, { count: number }>;
  /** Accounts here, by the key of those of the other site. */
  people: Map<string, Person>;
  /** Users who have only commented so far, and have no account here yet. */
  guests: Map<string, ForeignUser>;
  /** Ids of series here, by key. */
  series: Map<string, string>;
  /** What is known of each article that is to be written, by key. */
  records: Map<string, ImportRecord>;
  addresses: OldAddresses;
  /** Names of pictures that articles have been given. */
  stored: Set<string>;
  /** Names of stored pictures, and why others are none, by their owner and address. */
  pictures: { get(key: string): Promise<Taken> | undefined; set(key: string, taken: Promise<Taken>): void };
}

/** A picture's address here, or why there is none; a reason of '' is that the site does not hold it. */
export type Taken = { url: string } | { problem: string };

/** Notes what the operator should know. */
export function note({ report }: SiteRun, what: string, why: string): void {
  report.notes.push({ what, why });
}

/** As `note`, of things that are told together. */
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

/** What the report calls an article. */
export const nameOf = ({ title, key }: Pick<ForeignArticle, 'title' | 'key'>): string =>
  `文章《${title.trim() === '' ? key : title.trim()}》`;

export const isStopped = ({ options }: SiteRun): boolean => options.signal?.aborted ?? false;

/** As `isStopped`, after a look for signals: a source and SQLite that never wait let none through. */
export async function isStoppedNow(run: SiteRun): Promise<boolean> {
  await setImmediate();
  return isStopped(run);
}

/** A text that can be stored, within `most` characters; `isCut` tells whether something had to go. */
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
