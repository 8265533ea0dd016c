import type { SitemapEntry, SitemapKind, SitemapPart } from '../../../contract/calls/discovery-calls.ts';
import type { Database } from '../../db/database.ts';
import { toInstant } from '../../shared/ids.ts';
import * as queries from './sitemap-queries.ts';

export type SitemapService = ReturnType<typeof createSitemapService>;

const ORDERED: readonly queries.OrderedKind[] = ['users', 'tags', 'series'];
const FIRST = '';

/** Sitemap of public articles, their authors, tags and series, in files of at most `PART_SIZE` addresses. */
export function createSitemapService({ db }: { db: Database }) {
  /** Yields the id after which each file of a kind begins; one query per file, none for its entries. */
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

    async entriesOf(kind: SitemapKind, part: number): Promise<SitemapEntry[]> {
      return (await rowsOf(kind, part)).map(({ name, update_time }) => ({
        name,
        ...(update_time === null ? {} : { update_time: toInstant(update_time) }),
      }));
    },
  };
}
