import type { NewArticle } from '../../../contract/article-fields.ts';
import type { ForeignArticle } from './import-fields.ts';
import type { Added } from '../../redirects/former-path-service.ts';
import { newId } from '../../shared/ids.ts';
import { insertImports } from './import-queries.ts';
import type { ImportRecord, Saved } from './import-service.ts';
import { findSources, freeIds } from './foreign-queries.ts';
import type { Person, SiteImportParts, SiteRun } from './site-import-parts.ts';

export interface Planned {
  key: string;
  id?: string | undefined;
  ownerId: string;
}

export interface ImportedSiteArticle {
  record: ImportRecord;
  /** SHA-256 (hex) of the other site's data for it. */
  digest: string;
  fields: NewArticle;
  created: number;
  updated: number;
  seriesNo?: number | undefined;
  formerAddresses: readonly string[];
}

export interface Written {
  saved: Saved;
  addresses: readonly Added[];
}

const ID = /^[0-9a-f]{24}$/;

export function createSiteArticles({ db, imports }: SiteImportParts, { prefix, isDryRun }: SiteRun) {
  const sourceOf = (key: string) => `${prefix}article:${key}`;
  const promised = new Map<string, string>();

  return {
    fit: (article: ForeignArticle) => imports.fit(article),
    hash: imports.hash,

    /**
     * Returns the records of articles by key. A new article gets an id, its former one if that is free, which
     * later runs find again: so articles can link to one another before they are written.
     */
    async plan(articles: readonly Planned[]): Promise<Map<string, ImportRecord>> {
      const sources = articles.map(({ key }) => sourceOf(key));
      const known = await findSources(db.read, sources);
      const fresh = articles.filter(({ key }) => !known.has(sourceOf(key)));
      const wanted = fresh.flatMap(({ id = '' }) => (ID.test(id) ? [id] : []));
      const free = await freeIds(db.read, 'articles', wanted);
      const rows = fresh.map(({ key, id = '', ownerId }) => ({
        owner_id: ownerId,
        source: sourceOf(key),
        article_id: free.delete(id) ? id : newId(),
        digest: '',
      }));
      if (!isDryRun && rows.length > 0) await db.write((trx) => insertImports(trx, rows));
      const all = [...rows, ...known.values()];
      return new Map(
        all.map(({ source, article_id, digest }) => {
          const [fileHash = '', articleHash = ''] = digest.split(':');
          const record = { source, articleId: article_id, fileHash, articleHash };
          return [source.slice(sourceOf('').length), record] as const;
        }),
      );
    },

    /**
     * Writes an article in its author's name. Refuses with CONTENT_TOO_COMPLEX, FIELD_INVALID, and as storage
     * does.
     */
    async saveArticle(author: Person, { digest, ...article }: ImportedSiteArticle): Promise<Written> {
      const viewer = { ...author, signinId: '', origin: 'import' };
      const { seriesNo, ...rest } = article;
      const place = seriesNo === undefined ? {} : { seriesNo };
      const entry = { ...rest, ...place, fileHash: digest, isUntold: true };
      const { saved, addresses = [] } = isDryRun
        ? await imports.foresee(viewer, entry, { force: false, promised })
        : await imports.save(viewer, entry, { force: false });
      return { saved, addresses };
    },
  };
}
