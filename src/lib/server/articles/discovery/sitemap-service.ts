import type { SitemapEntry, SitemapKind, SitemapPart } from '../../../contract/calls/discovery-calls.ts';
import { addressField } from '../../../shared/urls.ts';
import { toInstant } from '../../shared/ids.ts';
import * as queries from './sitemap-queries.ts';
import type { Core } from '../../services.ts';

export type SitemapService = ReturnType<typeof createSitemapService>;

const ORDERED: readonly queries.OrderedKind[] = ['users', 'tags', 'series'];

/** Sitemap of public articles, their authors, tags and series, in files of at most `PART_SIZE` addresses. */
export function createSitemapService({ db }: Core) {
  const rowsOf = (kind: SitemapKind, part: number): Promise<queries.MappedRow[]> =>
    kind === 'articles' ? queries.listArticlesOfPart(db.read, part) : queries.listOfPart(db.read, kind, part);

  return {
    async list(): Promise<SitemapPart[]> {
      const articles = await queries.listArticleParts(db.read);
      const parts: SitemapPart[] = articles.map(({ part, update_time }) => ({
        kind: 'articles',
        part,
        update_time: toInstant(update_time),
      }));
      for (const kind of ORDERED) {
        const count = await queries.countParts(db.read, kind);
        for (let part = 0; part < count; part++) parts.push({ kind, part });
      }
      return parts;
    },

    async entriesOf(kind: SitemapKind, part: number): Promise<SitemapEntry[]> {
      return (await rowsOf(kind, part)).map(({ name, address = '', update_time }) => ({
        name,
        ...addressField({ address }),
        ...(update_time === null ? {} : { update_time: toInstant(update_time) }),
      }));
    },
  };
}
