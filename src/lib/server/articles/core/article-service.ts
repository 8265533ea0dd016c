import type { Article, ArticleSource, List } from '../../../contract/entities.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { refuse, isRefusal } from '../../../contract/rules/errors.ts';
import { EditedArticle } from '../../../contract/article-fields.ts';
import { splitAtFold } from '../../../markdown/excerpt.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import { newId, toInstant } from '../../shared/ids.ts';
import { locatePage, type PageRequest } from '../../shared/paging.ts';
import type { SearchQuery } from '../../search/search.ts';
import { isEditor, requireOwn } from './article-access.ts';
import { sourceBytes, takeFields } from './authored-queries.ts';
import { countArticles } from './count-queries.ts';
import { listArticles } from './list-queries.ts';
import { listOwn, type OwnFilter } from './own-queries.ts';
import * as queries from './article-queries.ts';
import type { Reader } from '../../db/visibility.ts';
import { createArticleRenderings, textIn, type StoredRendering } from '../rendering/article-renderings.ts';
import type { Judgement } from '../../moderation/moderation-service.ts';
import { createdAt } from './dated.ts';
import { toArticle, toListed, type ListedArticle } from './article-wire.ts';
import {
  deleteRevision,
  findByRequest,
  insertRequest,
  findRevision,
  putRevision,
} from '../history/revision-queries.ts';
import { createSubmitChange, type Also } from '../history/revision-service.ts';
import { putInTrash } from '../history/trash-queries.ts';
import { findSchedule, toSchedule, dropIdleSchedule } from '../history/schedule-queries.ts';
import { findCurrentText } from '../history/version-queries.ts';
import type { Uses } from '../../services.ts';
import type { ArticleRevisionsTable } from '../../db/schema/schema.ts';
import { putPictureUses } from './usage-queries.ts';
import { isSame, type Authored } from '../../../contract/rules/authored-fields.ts';
import { createSave, type ArticleDraft, type Known, type Save, type Saved } from './save-article.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export type ArticleService = ReturnType<typeof createArticleService>;

export type ArticleList = List<ListedArticle> & { page: number; pageCount: number };

type Narrowing = Pick<SearchQuery, 'author' | 'tag' | 'order'>;

export function createArticleService(
  parts: Uses<
    | 'renderer'
    | 'search'
    | 'tags'
    | 'revisions'
    | 'versions'
    | 'quotas'
    | 'moderation'
    | 'origins'
    | 'applyVisibility'
  >,
) {
  const { db, renderer, search, revisions, versions, quotas, moderation, applyVisibility, events, now } =
    parts;
  const renderings = createArticleRenderings({ db, renderer, events });
  const save = createSave(parts);
  const submitChange = createSubmitChange(parts);

  async function prepare(draft: ArticleDraft, author: Viewer, id: string | null) {
    const { attributes, ...rendering } = await renderings.ofSaved(draft, author);
    const asRead = { ...textIn(rendering), attributes, layOut: renderings.ofApproved };
    const judgement = await moderation.judgeArticle({ ...draft, id, author }, asRead);
    return { rendering, judgement };
  }

  async function list(scope: queries.Scope, request: PageRequest, sort: queries.Sort = 'create_time') {
    const total = await countArticles(db.read, scope);
    const { page, pageCount, offset } = locatePage(request, total);
    const part = { sort, offset, limit: request.pageSize, total };
    const result = (await listArticles(db.read, scope, part)).map(toListed);
    return { result, total, page, pageCount };
  }

  /**
   * Returns the article as its author wrote it, with unpublished changes and its schedule. Refuses with
   * ARTICLE_NOT_FOUND, NOT_YOURS.
   */
  async function readSource(id: string, viewer: Viewer): Promise<ArticleSource> {
    const row = (await queries.findArticle(db.read, id, viewer)) ?? refuse('ARTICLE_NOT_FOUND');
    if (!isEditor(row, viewer)) refuse('NOT_YOURS');
    const revision = await revisions.find(id);
    const planned = await findSchedule(db.read, id);
    return {
      ...toArticle(row),
      content: row.content,
      ...(row.saved_by === '' ? {} : { saved_by: row.saved_by }),
      ...(revision ? { revision } : {}),
      ...(planned ? { schedule: toSchedule(planned) } : {}),
    };
  }

  async function removeIn(trx: Trx, id: string, viewer: Viewer, expected?: string): Promise<void> {
    const former = await requireOwn(trx, id, viewer, { update_time: expected });
    await putInTrash(trx, former, now());
    const trashed = await queries.changeArticle(trx, former, { status: 'cancel' });
    await applyVisibility(trx, former, trashed, { author: viewer });
    if (former.moderation === 'held') events.emit(trx, { type: 'held-changed' });
  }

  async function ownCounts(viewer: Viewer): Promise<{ page_num: number; draft_num: number }> {
    const count = (status: 'normal' | 'draft') =>
      countArticles(db.read, { of: 'own', authorId: viewer.id, status });
    return { page_num: await count('normal'), draft_num: await count('draft') };
  }

  return {
    list,

    /** Searches public articles and published pages. Refuses as `SearchIndex.search`. */
    async search(keywords: string, request: PageRequest, narrowing: Narrowing = {}) {
      const { hits, page, total, ...facts } = await search.search({
        keywords,
        ...narrowing,
        page: request.page,
        pageSize: request.pageSize,
      });
      const rows = await queries.listFoundByIds(
        db.read,
        hits.map((hit) => hit.articleId),
      );
      const result = rows.map(toListed);
      const highlights = new Map(hits.map((hit) => [hit.articleId, hit.highlight]));
      const { pageCount } = locatePage(request, total);
      return { result, total, page, pageCount, highlights, ...facts };
    },

    /** Suggests titles, tags and authors while a query is being typed. Refuses as `SearchIndex.suggest`. */
    suggest: (text: string) => search.suggest(text),

    listOwn: (filter: OwnFilter & PageRequest, viewer: Viewer) => listOwn(db.read, filter, viewer),

    /**
     * Returns an article with HTML and neighbours, or null if `viewer` may not see it. `isTooComplex`: it
     * cannot be rendered. Refuses with UNAVAILABLE if a draft must be rendered first and the render queue is
     * full.
     */
    async find(id: string, viewer: Reader | null) {
      const row = await queries.findArticlePage(db.read, id, viewer);
      if (!row) return null;
      const isNew = row.renderer_version === queries.NOT_RENDERED && viewer !== null;
      const rendering = isNew ? await renderings.ofDraft(id, viewer) : row;
      if (!rendering) return null;
      const { html, toc, summary, words, renderer_version } = rendering;
      const neighbours = await queries.findNeighbours(db.read, row);
      return {
        ...row,
        article: toArticle(row),
        html: utf8.decode(html),
        toc,
        summary,
        words,
        neighbours,
        isTooComplex: renderer_version === queries.TOO_COMPLEX,
      };
    },

    /** Returns the public articles among `ids`, in the order of `ids`. */
    listPublic: async (ids: readonly string[]): Promise<ListedArticle[]> =>
      (await queries.listPublicByIds(db.read, ids)).map(toListed),

    async listPinned(authorId: string): Promise<ListedArticle[]> {
      return (await queries.listPinned(db.read, authorId, BOUNDS.pinned)).map(toListed);
    },

    /** Returns the article as readers get it, without the 阅读全文 line. Refuses with ARTICLE_NOT_FOUND. */
    async read(id: string, viewer: Reader | null): Promise<Article> {
      const row = (await queries.findArticle(db.read, id, viewer)) ?? refuse('ARTICLE_NOT_FOUND');
      return { ...toArticle(row), content: splitAtFold(row.content).withoutFold };
    },

    /** Returns a public article as its author wrote it, with the 阅读全文 line, or null. */
    async findPublic(id: string): Promise<Article | null> {
      const row = await queries.findArticle(db.read, id, null);
      return row && { ...toArticle(row), content: row.content };
    },

    readSource,

    amend: createAmend({ ...parts, prepare, save, readSource }),

    /**
     * Creates an article; resolves once it is durable. A known `request_id` leaves the existing article
     * unchanged. Refuses with QUOTA_REACHED, ACCOUNT_FULL, and, for a published article, CONTENT_TOO_COMPLEX,
     * UNAVAILABLE.
     * @param planned a reserved id, and what to write first (`also`) and last (`last`) in the same
     * transaction; either aborts it by throwing
     */
    async create(
      input: ArticleDraft,
      viewer: Viewer,
      planned: { id?: string; also?: Also; last?: Also } = {},
    ) {
      const { request_id = '', publish_time, ...typed } = input;
      const fields = { ...typed, ...createdAt({ publish_time, status: typed.status }, now()) };
      const { rendering, judgement } = await prepare(fields, viewer, null);
      const made = await db.write(async (trx) => {
        await planned.also?.(trx, null);
        const former = request_id === '' ? null : await findByRequest(trx, viewer.id, request_id);
        if (former) return { ...former, repeated: true };
        await quotas.use(trx, viewer, { articles: 1 });
        const columns = await takeFields(trx, quotas, viewer, fields, { bytes: 0 });
        const id = planned.id ?? newId();
        if (request_id !== '') await insertRequest(trx, { author_id: viewer.id, request_id, article_id: id });
        const target = { id, author: viewer, former: null, judgement };
        const saved = await save(trx, target, fields, columns, rendering);
        await planned.last?.(trx, null);
        return { id, update_time: saved.update_time };
      });
      const { id, update_time, ...rest } = made;
      const counts = await ownCounts(viewer);
      // A caller that sends a `request_id` accepts fields beyond the contract's response.
      if (request_id === '') return { id, ...counts };
      return { id, ...counts, update_time: toInstant(update_time), repeated: 'repeated' in rest };
    },

    /**
     * Replaces an article of the caller; `update_time` and `revision_time`, if given, must equal the stored
     * ones. Without `revision_time` an unpublished revision stays, for its author to resolve. Refuses with
     * ARTICLE_NOT_FOUND, NOT_YOURS, ARTICLE_CHANGED, and as `create` does. A change that must wait for staff
     * becomes the unpublished revision (`pending`).
     * @param known fields that only an import sets
     * @param also what else to write in the same transaction; aborts it by throwing
     */
    async edit(input: EditedArticle & Saved, viewer: Viewer, known: Known = {}, also?: Also) {
      const { id, update_time, revision_time, publish_time, ...fields } = input;
      const seen = { update_time, revision_time };
      if (fields.status === 'cancel') {
        await this.remove(id, viewer, update_time);
        return { id, ...(await ownCounts(viewer)), update_time: toInstant(now()) };
      }
      const draft = { ...fields, status: fields.status };
      const dated = { ...createdAt({ publish_time, status: draft.status }, now()), ...known };
      const { rendering, judgement } = await prepare(draft, viewer, id);
      if (judgement.mustReview && judgement.reasons.length === 0)
        return {
          ...(await submitChange({ ...draft, id, ...seen, publish_time }, viewer, judgement, also)),
          ...(await ownCounts(viewer)),
        };
      const saved = await db.write(async (trx) => {
        const former = await requireOwn(trx, id, viewer, seen);
        await also?.(trx, null);
        const overwritten = await findCurrentText(trx, id);
        const revisionBytes = revision_time === undefined ? 0 : await deleteRevision(trx, id);
        const columns = await takeFields(trx, quotas, viewer, draft, {
          columns: former,
          bytes: revisionBytes + (await sourceBytes(trx, id)),
        });
        await versions.overwritten(trx, viewer, overwritten, columns);
        await moderation.dropChange(trx, 'article', id);
        const target = { id, author: viewer, former, judgement, isSubmitted: true };
        return save(trx, target, { ...draft, ...dated }, columns, rendering);
      });
      return { id, ...(await ownCounts(viewer)), update_time: toInstant(saved.update_time) };
    },

    /**
     * Moves an article of the caller to the trash, where only its author sees it until it is restored
     * (trash-service.ts); `removeIn` runs inside a transaction. Refuses as `requireOwn` with the `expected`
     * update_time.
     */
    remove: (id: string, viewer: Viewer, expected?: string): Promise<void> =>
      db.write((trx) => removeIn(trx, id, viewer, expected)),
    removeIn,

    /** Refuses an article that cannot be rendered, as `create` would; writes nothing. */
    async checkLayout(input: Pick<ArticleDraft, 'content' | 'status'>, viewer: Viewer): Promise<void> {
      await renderings.ofSaved(input, viewer);
    },

    rerenderOutdated: renderings.renewOutdated,
  };
}

interface Amendment extends Saved {
  /** Applied to the fields of the article and to those of its unpublished revision; may refuse. */
  change(fields: Authored): Authored;
  status?: 'normal' | 'draft' | undefined;
}

/** `pending`: readers see the change once staff has approved it. */
type Amended = 'same' | 'changed' | 'pending';

/** Attempts while the article is being edited concurrently. */
const MAX_ATTEMPTS = 3;

interface Parts extends Uses<'versions' | 'revisions' | 'moderation' | 'origins' | 'quotas'> {
  prepare(
    draft: ArticleDraft,
    author: Viewer,
    id: string,
  ): Promise<{ rendering: StoredRendering; judgement: Judgement }>;
  save: Save;
  readSource(id: string, viewer: Viewer): Promise<ArticleSource>;
}

function createAmend(parts: Parts) {
  const { db, prepare, save, versions, revisions, moderation, origins, quotas, readSource, now } = parts;

  /**
   * Writes the changed fields of the revision, and rebases it onto the article if this transaction saves it.
   */
  async function amendRevision(
    trx: Trx,
    row: ArticleRevisionsTable,
    fields: Authored,
    { author, from, to }: { author: Viewer; from: number; to: number },
  ): Promise<void> {
    const bytes = Buffer.byteLength(row.content);
    const columns = await takeFields(trx, quotas, author, fields, { columns: row, bytes });
    await versions.overwritten(trx, author, await findCurrentText(trx, row.article_id), columns);
    await putRevision(trx, {
      ...row,
      ...columns,
      // A revision based on another version stays in conflict, for its author to resolve.
      base_time: row.base_time === from ? to : row.base_time,
      update_time: Math.max(now(), row.update_time + 1, to),
    });
    await putPictureUses(trx, 'revision', { id: row.article_id, authorId: author.id, ...columns });
  }

  async function attempt(id: string, viewer: Viewer, amendment: Amendment): Promise<Amended> {
    const { revision, ...article } = await readSource(id, viewer);
    const status = amendment.status ?? (article.status === 'draft' ? 'draft' : 'normal');
    const fields = amendment.change(article);
    const revised = revision && amendment.change(revision);
    const isSameRevision = !revision || !revised || isSame(revision, revised);
    if (status === article.status && isSame(article, fields) && isSameRevision) return 'same';
    const parsed = EditedArticle.safeParse({ ...fields, id, status, type: article.type });
    if (!parsed.success) return refuse('FIELD_INVALID', { text: parsed.error.issues[0]?.message ?? '' });
    const { id: _, update_time: __, revision_time: ___, ...checked } = parsed.data;
    const draft = { ...checked, status, saved_by: amendment.saved_by };
    const { rendering, judgement } = await prepare(draft, viewer, id);
    const isSubmitted = judgement.mustReview && judgement.reasons.length === 0;
    const item = { kind: 'article', id, author_id: viewer.id } as const;
    return db.write(async (trx) => {
      const revision_time = revision?.revision_time ?? article.update_time;
      const former = await requireOwn(trx, id, viewer, { update_time: article.update_time, revision_time });
      const row = await findRevision(trx, id);
      if (isSubmitted) {
        const { update_time: time } = former;
        if (row && revised) await amendRevision(trx, row, revised, { author: viewer, from: time, to: time });
        else await revisions.saveIn(trx, { ...draft, id }, viewer);
        await judgement.remember(trx, id);
        await origins.note(trx, 'article', id, viewer);
        if (!(await moderation.amendChange(trx, item, amendment.change)))
          await moderation.submitChange(trx, item, { ...checked, status });
        return 'pending';
      }
      const columns = await takeFields(trx, quotas, viewer, draft, {
        columns: former,
        bytes: await sourceBytes(trx, id),
      });
      if (!row) await versions.overwritten(trx, viewer, await findCurrentText(trx, id), columns);
      const saved = await save(trx, { id, author: viewer, former, judgement }, draft, columns, rendering);
      const times = { from: former.update_time, to: saved.update_time };
      if (row && revised && isSame(revised, fields)) {
        await quotas.store(trx, viewer, -(await deleteRevision(trx, id)));
        await dropIdleSchedule(trx, id);
      } else if (row && revised) await amendRevision(trx, row, revised, { author: viewer, ...times });
      if (status === 'draft' || draft.secret) await moderation.dropChange(trx, 'article', id);
      else
        await moderation.amendChange<Authored>(trx, item, (waiting) => {
          const left = amendment.change(waiting);
          return isSame(left, fields) ? null : left;
        });
      return saved.isPending ? 'pending' : 'changed';
    });
  }

  /**
   * Changes an article of the viewer and, in the same way, its unpublished revision, which stays unpublished,
   * and its change that waits for staff. Where an edit would wait, the change is submitted, and the article
   * stays as it is. Refuses with ARTICLE_NOT_FOUND, NOT_YOURS, FIELD_INVALID (the result is
   * not a valid `EditedArticle`), ARTICLE_CHANGED (edited during every attempt), and as `edit` does.
   */
  return async function amend(id: string, viewer: Viewer, amendment: Amendment): Promise<Amended> {
    for (let left = MAX_ATTEMPTS; ; left--) {
      try {
        return await attempt(id, viewer, amendment);
      } catch (error) {
        if (left === 1 || !isRefusal(error, 'ARTICLE_CHANGED')) throw error;
      }
    }
  };
}
