import type { Article, ArticleSource, List } from '../../contract/entities.ts';
import { BOUNDS } from '../../contract/bounds.ts';
import { refuse } from '../../contract/errors.ts';
import type { EditedArticle } from '../../contract/article-fields.ts';
import { splitAtFold } from '../../markdown/excerpt.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Database, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { newId, toInstant } from '../ids.ts';
import { locatePage, type PageRequest } from '../paging.ts';
import type { Outbox } from '../push/push-service.ts';
import type { Quotas } from '../quotas/quota-service.ts';
import type { SearchHit, SearchIndex, SearchPage, SearchQuery } from '../search/search.ts';
import type { TagService } from '../tags/tag-service.ts';
import { requireOwn } from './article-access.ts';
import { sourceBytes, takeFields } from './authored-queries.ts';
import { announceChange } from './article-change.ts';
import { countArticles, settleCounts } from './count-queries.ts';
import { listArticles } from './list-queries.ts';
import { listOwn, type OwnFilter } from './own-queries.ts';
import * as queries from './article-queries.ts';
import type { Reader } from '../db/visibility.ts';
import { createArticleRenderings, type StoredRendering } from './article-renderings.ts';
import { createSave, type Draft, type Known, type Saved } from './article-save.ts';
import type { Judgement, ModerationService } from '../moderation/moderation-service.ts';
import { createAmend } from './amend.ts';
import { toArticle, toListed, type ListedArticle } from './article-wire.ts';
import type { Renderer } from './renderer.ts';
import { deleteRevision, findByRequest, insertRequest } from './revision-queries.ts';
import type { RevisionService } from './revision-service.ts';
import { putInTrash } from './trash-queries.ts';
import { findCurrentText } from './version-queries.ts';
import type { VersionService } from './version-service.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export type ArticleService = ReturnType<typeof createArticleService>;

/** A part of a list, and which page of it this is. */
export type ArticleList = List<ListedArticle> & { page: number; pageCount: number };

/** What else is to be written in the same transaction. */
type Also = (trx: Trx) => Promise<void>;
type Narrowing = Pick<SearchQuery, 'author' | 'tag' | 'order'>;

/** A page of hits, and what the search knows of all of them. */
export interface FoundArticles extends ArticleList, Omit<SearchPage, 'hits'> {
  /** What to mark in each, by its id. */
  highlights: Map<string, SearchHit['highlight']>;
}

interface Parts {
  db: Database;
  renderer: Renderer;
  search: SearchIndex;
  tags: TagService;
  revisions: RevisionService;
  versions: VersionService;
  quotas: Quotas;
  outbox: Outbox;
  moderation: Pick<ModerationService, 'judgeArticle' | 'settle'>;
  events: Events;
  now: () => number;
}

/** Articles: lists, reading, writing. `visibleTo` and article-queries' scopes say who may see what. */
export function createArticleService(parts: Parts) {
  const { db, renderer, search, tags, revisions, versions, quotas, outbox, moderation, events, now } = parts;
  const renderings = createArticleRenderings({ db, renderer, events });
  const save = createSave({ search, tags, versions, outbox, moderation, events, now });

  /** What a save stores of what is published, and whether it may be shown. Refuses as both do. */
  async function prepare(
    draft: Draft,
    author: Viewer,
    id: string | null,
  ): Promise<{ rendering: StoredRendering; judgement: Judgement }> {
    const rendering = await renderings.ofSaved(draft, author);
    return { rendering, judgement: await moderation.judgeArticle({ ...draft, id, author }, rendering) };
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

  /** The article as its author wrote it, unpublished changes too. Refuses ARTICLE_NOT_FOUND, NOT_YOURS. */
  async function readSource(id: string, viewer: Viewer): Promise<ArticleSource> {
    const row = (await queries.findArticle(db.read, id, viewer)) ?? refuse('ARTICLE_NOT_FOUND');
    if (row.author_id !== viewer.id) refuse('NOT_YOURS');
    const revision = await revisions.find(id);
    const saved = row.saved_by === '' ? {} : { saved_by: row.saved_by };
    return { ...toArticle(row), content: row.content, ...saved, ...(revision ? { revision } : {}) };
  }

  async function removeIn(trx: Trx, id: string, viewer: Viewer, expected?: string): Promise<void> {
    const former = await requireOwn(trx, id, viewer, { update_time: expected });
    await putInTrash(trx, former, now());
    const tagIds = await queries.listTagIds(trx, id);
    await queries.cancelArticle(trx, id);
    await settleCounts(trx, tags, { ...former, tagIds }, null);
    if (former.is_public === 1) await search.remove(trx, id);
    await outbox.add(trx, former, null);
    await announceChange(trx, events, former, null);
    if (former.moderation === 'held') events.emit(trx, { type: 'held-changed' });
  }

  async function ownCounts(viewer: Viewer): Promise<{ page_num: number; draft_num: number }> {
    const count = (status: 'normal' | 'draft') =>
      countArticles(db.read, { of: 'own', authorId: viewer.id, status });
    return { page_num: await count('normal'), draft_num: await count('draft') };
  }

  return {
    list,

    /** Public articles that a search finds, with what to mark. Refuses as `SearchIndex.search`. */
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

    /** Titles, tags and authors for what somebody is typing. Refuses as `SearchIndex.suggest`. */
    suggest: (text: string) => search.suggest(text),

    /** Those of the viewer's own articles that `filter` asks for, with their numbers. */
    listOwn: (filter: OwnFilter & PageRequest, viewer: Viewer) => listOwn(db.read, filter, viewer),

    /**
     * An article with HTML and neighbours, null where `viewer` may not see it. `isTooComplex`: it cannot be
     * laid out. Refuses with UNAVAILABLE where a draft must be rendered first and too many wait.
     */
    async find(id: string, viewer: Reader | null) {
      const row = await queries.findArticlePage(db.read, id, viewer);
      if (!row) return null;
      const isNew = row.renderer_version === queries.NOT_RENDERED && viewer !== null;
      const rendering = isNew
        ? await renderings.ofDraft(id, viewer)
        : { ...row, version: row.renderer_version };
      if (!rendering) return null;
      const { html, toc, summary, words, version } = rendering;
      const neighbours = await queries.findNeighbours(db.read, row);
      return {
        ...row,
        article: toArticle(row),
        html: utf8.decode(html),
        toc,
        summary,
        words,
        neighbours,
        isTooComplex: version === queries.TOO_COMPLEX,
      };
    },

    /** An author's public articles that stand first on their profile, newest first. */
    async listPinned(authorId: string): Promise<ListedArticle[]> {
      return (await queries.listPinned(db.read, authorId, BOUNDS.pinned)).map(toListed);
    },

    /** The article as readers get it, without the 阅读全文 line. Refuses with ARTICLE_NOT_FOUND. */
    async read(id: string, viewer: Reader | null): Promise<Article> {
      const row = (await queries.findArticle(db.read, id, viewer)) ?? refuse('ARTICLE_NOT_FOUND');
      return { ...toArticle(row), content: splitAtFold(row.content).withoutFold };
    },

    /** A public article as its author wrote it, 阅读全文 line included, or null. */
    async findPublic(id: string): Promise<Article | null> {
      const row = await queries.findArticle(db.read, id, null);
      return row && { ...toArticle(row), content: row.content };
    },

    readSource,

    /** Changes something of one's own article without having it open (amend.ts). */
    amend: createAmend({ db, prepare, save, versions, quotas, readSource, now }),

    /**
     * Creates an article; resolves once it is durable. A known `request_id` leaves the article as it is.
     * Refuses with QUOTA_REACHED, ACCOUNT_FULL, and, for what is published, CONTENT_TOO_COMPLEX, UNAVAILABLE.
     * @param planned an id given out before, and what to write first and last in the same transaction; either
     * may stop it by throwing
     */
    async create(input: Draft, viewer: Viewer, planned: { id?: string; also?: Also; last?: Also } = {}) {
      const { request_id = '', ...fields } = input;
      const { rendering, judgement } = await prepare(fields, viewer, null);
      const made = await db.write(async (trx) => {
        await planned.also?.(trx);
        const former = request_id === '' ? null : await findByRequest(trx, viewer.id, request_id);
        if (former) return { ...former, repeated: true };
        await quotas.use(trx, viewer, 'articles');
        const columns = await takeFields(trx, quotas, viewer, fields, { bytes: 0 });
        const id = planned.id ?? newId();
        if (request_id !== '') await insertRequest(trx, { author_id: viewer.id, request_id, article_id: id });
        const target = { id, author: viewer, former: null, judgement };
        const saved = await save(trx, target, fields, columns, rendering);
        await planned.last?.(trx);
        return { id, ...saved };
      });
      const { id, update_time, ...rest } = made;
      const counts = await ownCounts(viewer);
      // Who names the request knows of more than the contract's answer.
      if (request_id === '') return { id, ...counts };
      return { id, ...counts, update_time: toInstant(update_time), repeated: 'repeated' in rest };
    },

    /**
     * Replaces an article of the caller's; `update_time` and `revision_time`, if given, must be the stored
     * ones. An unpublished revision that the caller has not seen stays, for its author to decide. Refuses
     * with ARTICLE_NOT_FOUND, NOT_YOURS, ARTICLE_CHANGED, and as `create` does.
     * @param known what an import knows besides
     * @param also what else to write in the same transaction; stops the change by throwing
     */
    async edit(input: EditedArticle & Saved, viewer: Viewer, known: Known = {}, also?: Also) {
      const { id, update_time, revision_time, ...fields } = input;
      const seen = { update_time, revision_time };
      if (fields.status === 'cancel') {
        await this.remove(id, viewer, update_time);
        return { id, ...(await ownCounts(viewer)), update_time: toInstant(now()) };
      }
      const draft = { ...fields, status: fields.status };
      const { rendering, judgement } = await prepare(draft, viewer, id);
      const saved = await db.write(async (trx) => {
        const former = await requireOwn(trx, id, viewer, seen);
        await also?.(trx);
        const overwritten = await findCurrentText(trx, id);
        const revisionBytes = revision_time === undefined ? 0 : await deleteRevision(trx, id);
        const columns = await takeFields(trx, quotas, viewer, draft, {
          columns: former,
          bytes: revisionBytes + (await sourceBytes(trx, id)),
        });
        await versions.overwritten(trx, viewer, overwritten, columns);
        const target = { id, author: viewer, former, judgement };
        return save(trx, target, { ...draft, ...known }, columns, rendering);
      });
      return { id, ...(await ownCounts(viewer)), update_time: toInstant(saved.update_time) };
    },

    /**
     * Moves an article of the caller's, of `expected` update_time if given, to the trash: as good as gone for
     * everybody, until it is restored (trash-service.ts); `removeIn` inside a transaction. Refuses as
     * `requireOwn`.
     */
    remove: (id: string, viewer: Viewer, expected?: string): Promise<void> =>
      db.write((trx) => removeIn(trx, id, viewer, expected)),
    removeIn,

    /** Refuses, as `create` would, what cannot be laid out; writes nothing. */
    async checkLayout(input: Pick<Draft, 'content' | 'status'>, viewer: Viewer): Promise<void> {
      await renderings.ofSaved(input, viewer);
    },

    rerenderOutdated: renderings.renewOutdated,
  };
}
