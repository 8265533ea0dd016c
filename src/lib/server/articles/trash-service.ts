import { BOUNDS } from '../../contract/bounds.ts';
import type { List, TrashedArticle } from '../../contract/entities.ts';
import { refuse } from '../../contract/errors.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Database, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import type { TrashTable } from '../db/schema.ts';
import { toInstant } from '../ids.ts';
import { locatePage, type PageRequest } from '../paging.ts';
import type { ModerationService } from '../moderation/moderation-service.ts';
import type { Outbox } from '../push/push-service.ts';
import type { Quotas } from '../quotas/quota-service.ts';
import type { SearchIndex } from '../search/search.ts';
import type { TagService } from '../tags/tag-service.ts';
import { findRendering, findState, putArticleTags } from './article-queries.ts';
import { announceChange } from './article-change.ts';
import { toListed } from './article-wire.ts';
import { sourceBytes } from './authored-queries.ts';
import { settleCounts } from './count-queries.ts';
import { deleteRevision } from './revision-queries.ts';
import { dropPassedSchedule } from './schedule-queries.ts';
import { addVersionBytes, listHeads } from './version-queries.ts';
import * as queries from './trash-queries.ts';

export type TrashService = ReturnType<typeof createTrashService>;

const KEPT_MS = BOUNDS.trashDays * 24 * 3_600_000;
/** Articles removed for good in one transaction: others write in between. */
const AT_ONCE = 20;

interface Parts {
  db: Database;
  search: SearchIndex;
  tags: TagService;
  quotas: Quotas;
  outbox: Outbox;
  moderation: Pick<ModerationService, 'recover'>;
  events: Events;
  now: () => number;
}

/** Deleted articles: for 30 days their author can restore them, with address, comments and read marks. */
export function createTrashService(parts: Parts) {
  const { db, search, tags, quotas, outbox, moderation, events, now } = parts;

  async function purgeRow(trx: Trx, row: TrashTable): Promise<void> {
    const bytes = (await sourceBytes(trx, row.article_id)) + (await deleteRevision(trx, row.article_id));
    await quotas.store(trx, { id: row.author_id }, -bytes);
    const versions = await listHeads(trx, row.article_id);
    await addVersionBytes(trx, row.author_id, -versions.reduce((sum, version) => sum + version.bytes, 0));
    await queries.deleteForGood(trx, row);
  }

  /** Removes for good what was deleted at `until` or before; returns how many articles. */
  async function purgeUntil(until: number, viewer: Viewer | null, isStopping = () => false): Promise<number> {
    for (let purged = 0; ;) {
      const rows = await db.write(async (trx) => {
        const found = await queries.listDeletedUntil(trx, { viewer, until, limit: AT_ONCE });
        for (const row of found) await purgeRow(trx, row);
        return found.length;
      });
      purged += rows;
      if (rows < AT_ONCE || isStopping()) return purged;
    }
  }

  /** Puts an article back where it was, in the transaction that takes it from the trash. */
  async function putBack(trx: Trx, row: TrashTable, author: Viewer): Promise<void> {
    const id = row.article_id;
    await queries.takeFromTrash(trx, row);
    // Whoever restores an article has not asked for its publication now.
    await dropPassedSchedule(trx, id, now());
    const state = (await findState(trx, id)) ?? refuse('ARTICLE_NOT_FOUND');
    const isPublic = state.is_public === 1;
    const names = JSON.parse(state.tags) as string[];
    const tagIds = await tags.resolve(trx, names, { author, isPublic });
    await putArticleTags(trx, state, tagIds);
    await settleCounts(trx, tags, null, { ...state, tagIds });
    if (isPublic) {
      const { text, toc } = (await findRendering(trx, id)) ?? refuse('ARTICLE_NOT_FOUND');
      await search.put(trx, {
        articleId: id,
        title: state.title,
        tags: names,
        author: author.username,
        toc,
        text,
        createTime: state.create_time,
      });
    }
    await outbox.add(trx, null, state);
    await announceChange(trx, events, null, state, isPublic ? 'everybody' : 'author');
  }

  async function restoreIn(trx: Trx, id: string, viewer: Viewer): Promise<'normal' | 'draft'> {
    const row = await queries.findTrashed(trx, id, viewer);
    if (row) {
      await putBack(trx, row, viewer);
      return row.status;
    }
    const there = await findState(trx, id);
    if (there?.author_id !== viewer.id || there.status === 'cancel') return refuse('ARTICLE_NOT_FOUND');
    return there.status;
  }

  return {
    /** The viewer's deleted articles, deleted last first. */
    async list(request: PageRequest, viewer: Viewer): Promise<List<TrashedArticle>> {
      const total = await queries.countTrashed(db.read, viewer);
      const { offset } = locatePage(request, total);
      const rows = await queries.listTrashed(db.read, viewer, { offset, limit: request.pageSize });
      const result = rows.map((row) => ({
        ...toListed(row).item,
        former_status: row.former_status,
        removed_time: toInstant(row.trash_time),
        purge_time: toInstant(row.trash_time + KEPT_MS),
      }));
      return { result, total };
    },

    /**
     * Restores an article of the viewer's, as it was; one that is there already stays. An article
     * that staff withheld stays withheld. Refuses with ARTICLE_NOT_FOUND, and with QUOTA_REACHED where a tag
     * that is gone cannot be made again.
     */
    async restore(id: string, viewer: Viewer): Promise<{ id: string; status: 'normal' | 'draft' }> {
      const status = await db.write(async (trx) => {
        const restored = await restoreIn(trx, id, viewer);
        await moderation.recover(trx, id);
        return restored;
      });
      return { id, status };
    },
    /** The same inside `trx`, for staff: the state of the article is theirs to change. */
    restoreIn,

    /** Removes an article from the viewer's trash for good. Refuses with ARTICLE_NOT_FOUND. */
    async purge(id: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) =>
        purgeRow(trx, (await queries.findTrashed(trx, id, viewer)) ?? refuse('ARTICLE_NOT_FOUND')),
      );
    },

    /**
     * Removes for good what the viewer has deleted at `until` or before, so that nothing goes that they have
     * not seen in the trash; returns how many articles.
     */
    empty: (viewer: Viewer, until: number = now()): Promise<number> => purgeUntil(until, viewer),

    /** Removes for good what was deleted 30 days ago or earlier; returns how many articles. */
    purgeExpired: (isStopping: () => boolean): Promise<number> =>
      purgeUntil(now() - KEPT_MS, null, isStopping),
  };
}
