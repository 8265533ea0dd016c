import { createHash } from 'node:crypto';
import { extrasOf, type Authored, allFields } from '../../../contract/rules/authored-fields.ts';
import { NewArticle } from '../../../contract/article-fields.ts';
import type { ArticleStatus } from '../../../contract/entities.ts';
import { isRefusal, isTemporary, refuse } from '../../../contract/rules/errors.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { fitFields } from '../../../markdown-file/fit-fields.ts';
import { batchesOf } from '../../../shared/batches.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Spender } from '../../quotas/quota-service.ts';
import type { Trx } from '../../db/database.ts';
import { newId } from '../../shared/ids.ts';
import type { Added, FormerAddress } from '../../redirects/former-path-service.ts';
import { findPicture, insertImports, listImports, replaceImport, type ImportRow } from './import-queries.ts';
import { PAGE_TYPE } from '../../../contract/rules/page-tree.ts';
import { makeRoom, planPages, type ForeignPage, type PlannedPage } from '../pages/import-pages.ts';
import { insertPage } from '../pages/page-queries.ts';
import type { AppParts } from '../../services.ts';
import { takeGraphemes } from '../../../shared/graphemes.ts';

export type ImportService = ReturnType<typeof createImportService>;

export interface ImportRecord {
  /** Absolute path of the file, `/` separated. */
  source: string;
  /** Id of its article, existing or planned; for a picture the name of the stored file. */
  articleId: string;
  /** SHA-256 of the file when it was last read; '' before. */
  fileHash: string;
  /** SHA-256 of the article as the import left it; '' if it was refused or is not written yet. */
  articleHash: string;
}

/** An article from a file of another blog; its fields may have any length. */
type ForeignArticle = Authored & { status: 'normal' | 'draft'; isPage?: boolean };

export type Saved = 'created' | 'updated' | 'edited-on-site' | 'deleted-on-site' | 'changed-meanwhile';
/** `addresses`: the outcome for each former address, if the article was written. */
type Save = { saved: Saved; record: ImportRecord; addresses?: Added[] };

export interface ImportedArticle {
  record: ImportRecord;
  fileHash: string;
  fields: NewArticle;
  /** Milliseconds since the epoch; `updated` defaults to now. */
  created?: number;
  updated?: number;
  seriesNo?: number;
  isUntold?: boolean;
  /** Former addresses of the article on its old site: paths or full URLs. */
  formerAddresses?: readonly string[];
  /** Its slug there; by default the end of a former address. */
  slug?: string;
  /** Its place if it is a page of the site. */
  page?: PlannedPage | undefined;
}

/** What an import knows of a page of another site; ids are those of records. */
export interface ImportedPage extends Omit<ForeignPage, 'slug' | 'order'> {
  order?: number | undefined;
  slug?: string | undefined;
  formerAddresses: readonly string[];
}

const ADDRESS_BATCH_SIZE = 200;

/**
 * Maps files to articles. An article and its record are written in one transaction, and ids are assigned
 * before the first one: the next run completes the links of a run that was killed.
 */
export function createImportService(
  parts: Pick<AppParts, 'db' | 'articles' | 'files' | 'formerPaths' | 'series' | 'site' | 'friends'>,
) {
  const { db, articles, files, formerPaths, series } = parts;
  /** Replaces the record in the transaction of its article; of two concurrent runs only one succeeds. */
  const claim = (viewer: Viewer, former: ImportRecord, next: ImportRecord) => async (trx: Trx) => {
    const place = { owner_id: viewer.id, source: former.source };
    if (!(await replaceImport(trx, place, toRow(former), toRow(next)))) refuse('ARTICLE_CHANGED');
  };

  const knownOf = ({
    created,
    updated,
    seriesNo,
    isUntold = false,
    slug = '',
    formerAddresses = [],
    page,
  }: ImportedArticle) => ({
    ...(created === undefined ? {} : { create_time: created }),
    ...(updated === undefined ? {} : { update_time: updated }),
    ...(seriesNo === undefined ? {} : { series_no: seriesNo }),
    isUntold,
    // Slugs of pages and of articles are separate.
    ...(page ? {} : { knownSlug: formerPaths.slugIn([slug, ...formerAddresses]) }),
  });

  async function look(viewer: Viewer, record: ImportRecord) {
    const stored = await articles.readSource(record.articleId, viewer).catch((error: unknown) => {
      if (isRefusal(error, 'ARTICLE_NOT_FOUND')) return null;
      throw error;
    });
    const isEdited = stored !== null && hashArticle(stored) !== record.articleHash;
    const obstacle = !stored ? 'deleted-on-site' : isEdited ? 'edited-on-site' : null;
    return { stored, obstacle } as const;
  }

  async function create(viewer: Viewer, entry: ImportedArticle, next: ImportRecord): Promise<Save> {
    const id = next.articleId;
    const { page } = entry;
    let addresses: Added[] = [];
    const asPage = page ? ({ is_page: true } as const) : {};
    await articles.create({ ...entry.fields, ...knownOf(entry), ...asPage }, viewer, {
      id,
      async also(trx) {
        await claim(viewer, entry.record, next)(trx);
        if (page) await makeRoom(trx, page.slug, db.engine === 'postgres');
      },
      async last(trx) {
        if (page) {
          const { slug, parent, position } = page;
          await insertPage(trx, { article_id: id, slug, parent_id: parent, position });
        }
        addresses = await formerPaths.add(trx, id, entry.formerAddresses ?? []);
      },
    });
    return { saved: 'created', record: next, addresses };
  }

  async function update(
    viewer: Viewer,
    entry: ImportedArticle,
    next: ImportRecord,
    force: boolean,
  ): Promise<Save> {
    const { stored, obstacle } = await look(viewer, entry.record);
    if (obstacle && !force) return { saved: obstacle, record: entry.record };
    if (!stored) return create(viewer, entry, { ...next, articleId: newId() });
    const edited = { ...entry.fields, id: stored._id, update_time: stored.update_time };
    let addresses: Added[] = [];
    await articles.edit(edited, viewer, knownOf(entry), async (trx) => {
      await claim(viewer, entry.record, next)(trx);
      addresses = await formerPaths.add(trx, stored._id, entry.formerAddresses ?? []);
    });
    return { saved: 'updated', record: next, addresses };
  }

  /** Only staff may change a page, and an import writes pages only if it runs with that right. */
  const writerOf = (author: Viewer, { page }: ImportedArticle): Viewer => ({
    ...author,
    isUnlimited: true,
    ...(page ? { role: 'operator' as const } : {}),
  });

  const findImage = (ownerId: string, hash: string) => findPicture(db.read, ownerId, sourceOfImage(hash));

  return {
    imageBytes: BOUNDS.imageBytes,
    fit: fitArticle,
    hash: hashArticle,

    async list(ownerId: string): Promise<ImportRecord[]> {
      return (await listImports(db.read, ownerId)).map(toRecord);
    },

    /** Returns the records of `sources`; creates missing ones, with an id for the article. */
    async reserve(ownerId: string, sources: readonly string[]): Promise<Map<string, ImportRecord>> {
      const wanted = new Set(sources);
      const rows = sources.map((source) => ({ owner_id: ownerId, source, article_id: newId(), digest: '' }));
      await db.write((trx) => insertImports(trx, rows));
      const records = (await listImports(db.read, ownerId)).map(toRecord);
      return new Map(
        records.filter(({ source }) => wanted.has(source)).map((record) => [record.source, record]),
      );
    },

    imagine: (source: string): ImportRecord => ({
      source,
      articleId: newId(),
      fileHash: '',
      articleHash: '',
    }),

    /**
     * Returns or refuses what `save` would; writes nothing.
     * @param promised the former addresses foreseen so far in this run (`FormerPathService.foresee`)
     */
    async foresee(
      author: Viewer,
      entry: ImportedArticle,
      { force, promised }: { force: boolean; promised: Map<string, string> },
    ): Promise<Save> {
      const { record, fields, formerAddresses = [] } = entry;
      const viewer = writerOf(author, entry);
      const isNew = record.articleHash === '';
      const { obstacle } = isNew ? { obstacle: null } : await look(viewer, record);
      if (obstacle && !force) return { saved: obstacle, record };
      await articles.checkLayout(fields, viewer);
      const saved = isNew || obstacle === 'deleted-on-site' ? 'created' : 'updated';
      const addresses = await formerPaths.foresee(record.articleId, formerAddresses, promised);
      return { saved, record, addresses };
    },

    /** Returns the places of pages by id, as `planPages` of ../pages/import-pages.ts. */
    planPages(pages: readonly ImportedPage[]): Promise<Map<string, PlannedPage>> {
      const slugIn = ({ slug = '', formerAddresses }: ImportedPage) =>
        formerPaths.slugIn([slug, ...formerAddresses]);
      const all = pages.map((page) => ({ ...page, order: page.order ?? 0, slug: slugIn(page) }));
      return planPages(db.read, all);
    },

    addNavigation: parts.site.addNavigation,
    addFriends: parts.friends.import,

    /** Adds former addresses to existing articles; idempotent. */
    async addAddresses(entries: readonly FormerAddress[]): Promise<void> {
      for await (const some of batchesOf(entries, ADDRESS_BATCH_SIZE)) await formerPaths.addAll(some);
    },

    /**
     * Returns the author's series of that name and creates a missing one; a dry run returns a made-up id
     * instead. `loss` says in Chinese what was cut, or why there is no series.
     */
    async series(
      viewer: Viewer,
      name: string,
      { isDryRun }: { isDryRun: boolean },
    ): Promise<{ id: string | null; loss: string | null }> {
      const whole = name.normalize('NFC').replace(/\s+/g, ' ').trim();
      const title = takeGraphemes(whole, BOUNDS.seriesTitle[1]);
      const loss = title === whole ? null : `专栏名超过 ${BOUNDS.seriesTitle[1]} 个字符，已截短：${whole}`;
      const { result } = await series.list(viewer.id, viewer);
      const known = result.find((each) => each.title === title);
      if (known) return { id: known._id, loss };
      if (result.length >= BOUNDS.series)
        return { id: null, loss: `专栏已有 ${BOUNDS.series} 个，没有新建：${title}` };
      if (isDryRun) return { id: newId(), loss };
      try {
        return { id: (await series.create({ title, description: '', cover: '' }, viewer))._id, loss };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { id: null, loss: `专栏“${title}”没有新建（${error.message}）` };
      }
    },

    /** Puts the articles of the viewer's series in the order of `ids`. Refuses as `SeriesService.order`. */
    orderSeries: (viewer: Viewer, id: string, ids: string[]): Promise<void> =>
      series.order({ id, ids }, viewer),

    /**
     * Writes one article; resolves to its record once the article, the record and the former addresses are
     * durable. `force` overwrites changes made on the site; an article deleted there gets a new id. Refuses
     * with CONTENT_TOO_COMPLEX, and records that for a new article unless it is temporary.
     */
    async save(author: Viewer, entry: ImportedArticle, { force }: { force: boolean }): Promise<Save> {
      const viewer = writerOf(author, entry);
      const { record, fields, fileHash } = entry;
      const next = { ...record, fileHash, articleHash: hashArticle(fields) };
      try {
        if (record.articleHash !== '') return await update(viewer, entry, next, force);
        return await create(viewer, entry, next);
      } catch (error) {
        if (isRefusal(error, 'ARTICLE_CHANGED')) return { saved: 'changed-meanwhile', record };
        const isTooComplex = isRefusal(error, 'CONTENT_TOO_COMPLEX') && !isTemporary(error);
        if (isTooComplex && record.articleHash === '')
          await db.write(claim(viewer, record, { ...record, fileHash }));
        throw error;
      }
    },

    /** Fetches a picture of another site. Refuses as `Outside.fetch`. */
    fetchPicture: files.fetchBytes,

    /** Returns the name of the file that `saveImage` has stored for the owner before, or null. */
    findImage,

    /**
     * Stores a picture, BMP and SVG as PNG, and records it; once per owner, whom it is charged to. `hash` is
     * the SHA-256 (hex) of the picture or of its address. Refuses as `FileService.saveImage`.
     * @param isDryRun only checks the picture; the returned name belongs to no file
     * @returns the name of the file, and Chinese sentences about what was lost
     */
    async saveImage(
      owner: Spender,
      { hash, bytes }: { hash: string; bytes: Uint8Array },
      { isDryRun = false } = {},
    ): Promise<{ name: string; losses: string[] }> {
      const former = await findImage(owner.id, hash);
      if (former !== null) return { name: former, losses: [] };
      const readable = await files.toReadable(bytes, owner);
      if (isDryRun) {
        await files.checkImage(owner, readable.bytes);
        return { name: `${hash.slice(0, 32)}-1x1.webp`, losses: readable.losses };
      }
      const { name } = await files.saveImage(owner, readable.bytes);
      const place = { owner_id: owner.id, source: sourceOfImage(hash) };
      await db.write((trx) => insertImports(trx, [{ ...place, article_id: name, digest: `${hash}:` }]));
      return { name, losses: readable.losses };
    },
  };
}

/**
 * Fits a foreign article to the rules of CONTRACT.md (`fitFields`). Returns it with Chinese warnings about
 * what was cut. Refuses with FIELD_INVALID an empty title, and an empty or too long body.
 */
function fitArticle(article: ForeignArticle): { fields: NewArticle; warnings: string[] } {
  const { fields, warnings } = fitFields(allFields(article));
  // A page needs no tag.
  const type = article.isPage ? PAGE_TYPE : '';
  const parsed = NewArticle.safeParse({ ...fields, status: article.status, type });
  if (parsed.success) return { fields: parsed.data, warnings };
  const reasons = new Set(parsed.error.issues.map((issue) => issue.message));
  return refuse('FIELD_INVALID', { text: [...reasons].join('；') });
}

/**
 * Hashes the fields that an author can change. The hash is stored: without extra fields it must be the same
 * in every release.
 */
function hashArticle(article: Authored & { status: ArticleStatus }): string {
  const { title, tags, content, status, secret } = article;
  return createHash('sha256')
    .update(JSON.stringify([title, tags, content, status, secret, ...extrasOf(article)]))
    .digest('hex');
}

const sourceOfImage = (hash: string): string => `image:${hash}`;

const toRow = ({ articleId, fileHash, articleHash }: ImportRecord) => ({
  article_id: articleId,
  digest: fileHash === '' ? '' : `${fileHash}:${articleHash}`,
});

export function toRecord({ source, article_id, digest }: ImportRow): ImportRecord {
  const [fileHash = '', articleHash = ''] = digest.split(':');
  return { source, articleId: article_id, fileHash, articleHash };
}
