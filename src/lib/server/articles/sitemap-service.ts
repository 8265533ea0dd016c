import type { SitemapEntry, SitemapKind, SitemapPart } from '../../contract/discovery-calls.ts';
import type { Database } from '../db/database.ts';
import { toInstant } from '../ids.ts';
import * as queries from './sitemap-queries.ts';

export type SitemapService = ReturnType<typeof createSitemapService>;

const ORDERED: readonly queries.OrderedKind[] = ['users', 'tags', 'series'];
const FIRST = '';

/**
 * What search engines may know of: public articles, their authors, tags and series, in files of `PART_SIZE`
 * addresses at most.
 */
export function createSitemapService({ db }: { db: Database }) {
  /** The id each file of a kind begins after: one step for a file, none for what it holds. */
  async function* startsOf(kind: queries.OrderedKind): AsyncGenerator<string> {
    for (let after = FIRST; ;) {
      const last = await queries.findPartEnd(db.read, kind, after);
      if (last === null) return;
      yield after;
      after = last;
    }
  }

  async function rowsOf(kind: SitemapKind, part: number): Promise<queries.MappedRow[]> {
    if (kind === 'articles') return queries.listArticlesOfPart(db.read, part);
    let index = 0;
    for await (const after of startsOf(kind)) {
      if (index === part) return queries.listOfPart(db.read, kind, after);
      index++;
    }
    return [];
  }

  return {
    /** Every file that is not empty. */
    async list(): Promise<SitemapPart[]> {
      const articles = await queries.listArticleParts(db.read);
      const parts: SitemapPart[] = articles.map(({ part, update_time }) => ({
        kind: 'articles',
        part,
        update_time: toInstant(update_time),
      }));
      for (const kind of ORDERED) {
        let part = 0;
        for await (const _ of startsOf(kind)) parts.push({ kind, part: part++ });
      }
      return parts;
    },

    /** What a file names; nothing where there is none such. */
    async entriesOf(kind: SitemapKind, part: number): Promise<SitemapEntry[]> {
      return (await rowsOf(kind, part)).map(({ name, update_time }) => ({
        name,
        ...(update_time === null ? {} : { update_time: toInstant(update_time) }),
      }));
    },
  };
}
