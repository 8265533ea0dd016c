import type { Article, ArticleSource, List } from '../../../contract/entities.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { EditedArticle } from '../../../contract/article-fields.ts';
import { splitAtFold } from '../../../markdown/excerpt.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import { newId, toInstant } from '../../shared/ids.ts';
import { locatePage, type PageRequest } from '../../shared/paging.ts';
import type { SearchHit, SearchPage, SearchQuery } from '../../search/search.ts';
import { requireOwn } from './article-access.ts';
import { sourceBytes, takeFields } from './authored-queries.ts';
import { countArticles } from './count-queries.ts';
import { listArticles } from './list-queries.ts';
import { listOwn, type OwnFilter } from './own-queries.ts';
import * as queries from './article-queries.ts';
import type { Reader } from '../../db/visibility.ts';
import { createArticleRenderings, textIn, type StoredRendering } from '../rendering/article-renderings.ts';
import { createSave, type ArticleDraft, type Known, type Saved } from './article-save.ts';
import type { Judgement } from '../../moderation/moderation-service.ts';
import { createAmend } from './amend.ts';
import { createdAt } from './dated.ts';
import { toArticle, toListed, type ListedArticle } from './article-wire.ts';
import { deleteRevision, findByRequest, insertRequest } from '../history/revision-queries.ts';
import { createSubmitChange, type Also } from '../history/submit-change.ts';
import { putInTrash } from '../history/trash-queries.ts';
import { findSchedule, toSchedule } from '../history/schedule-queries.ts';
import { findCurrentText } from '../history/version-queries.ts';
import type { Uses } from '../../services.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export type ArticleService = ReturnType<typeof createArticleService>;

export type ArticleList = List<ListedArticle> & { page: number; pageCount: number };

type Narrowing = Pick<SearchQuery, 'author' | 'tag' | 'order'>;

export interface FoundArticles extends ArticleList, Omit<SearchPage, 'hits'> {
  highlights: Map<string, SearchHit['highlight']>;
}

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

  async function prepare(
    draft: ArticleDraft,
    author: Viewer,
    id: string | null,
  ): Promise<{ rendering: StoredRendering; judgement: Judgement }> {
    const { attributes, ...rendering } = await renderings.ofSaved(draft, author);
    const asRead = { ...textIn(rendering), attributes, layOut: renderings.ofApproved };
    const judgement = await moderation.judgeArticle({ ...draft, id, author }, asRead);
    return { rendering, judgement };
  }

  async function list(
    scope: queries.Scope,
    request: PageRequest,
    sort: queries.Sort = 'create_time',
  ): Promise<ArticleList> {
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
    if (row.author_id !== viewer.id) refuse('NOT_YOURS');
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

    /** Searches public articles. Refuses as `SearchIndex.search`. */
    async search(keywords: string, request: PageRequest, narrowing: Narrowing = {}): Promise<FoundArticles> {
      const { hits, page, total, ...facts } = await search.search({
        keywords,
        ...narrowing,
        page: request.page,
        pageSize: request.pageSize,
      });
      const rows = await queries.listPublicByIds(
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
        const target = { id, author: viewer, former, judgement };
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
