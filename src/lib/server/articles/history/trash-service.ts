import { BOUNDS } from '../../../contract/rules/bounds.ts';
import type { List, TrashedArticle } from '../../../contract/entities.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import type { TrashTable } from '../../db/schema/schema.ts';
import { toInstant } from '../../shared/ids.ts';
import type { PageRequest } from '../../shared/paging.ts';
import { changeArticle, findAnyState } from '../core/article-queries.ts';
import { toListed } from '../core/article-wire.ts';
import { sourceBytes } from '../core/authored-queries.ts';
import { deleteRevision } from './revision-queries.ts';
import { dropPassedSchedule } from './schedule-queries.ts';
import { addVersionBytes, listHeads } from './version-queries.ts';
import * as queries from './trash-queries.ts';
import { DAY_MS } from '../../../contract/rules/units.ts';
import type { Uses } from '../../services.ts';

export type TrashService = ReturnType<typeof createTrashService>;

const RETENTION_MS = BOUNDS.trashDays * DAY_MS;
/** Articles per transaction, so other writes can run in between. */
const ARTICLE_BATCH_SIZE = 20;

/** Deleted articles: for 30 days their author can restore them, with address, comments and read marks. */
export function createTrashService(
  parts: Uses<'quotas' | 'moderation' | 'texts' | 'origins' | 'applyVisibility'>,
) {
  const { db, quotas, moderation, texts, origins, applyVisibility, now } = parts;

  async function purgeRow(trx: Trx, row: TrashTable): Promise<void> {
    const bytes = (await sourceBytes(trx, row.article_id)) + (await deleteRevision(trx, row.article_id));
    await quotas.store(trx, { id: row.author_id }, -bytes);
    const versions = await listHeads(trx, row.article_id);
    await addVersionBytes(trx, row.author_id, -versions.reduce((sum, version) => sum + version.bytes, 0));
    await queries.deleteForGood(trx, row);
  }

  /** Permanently deletes articles that were deleted at or before `until`; returns their number. */
  async function purgeUntil(until: number, viewer: Viewer | null, isStopping = () => false): Promise<number> {
    for (let purged = 0; ;) {
      const rows = await db.write(async (trx) => {
        const found = await queries.listDeletedUntil(trx, { viewer, until, limit: ARTICLE_BATCH_SIZE });
        for (const row of found) await purgeRow(trx, row);
        return found.length;
      });
      purged += rows;
      if (rows < ARTICLE_BATCH_SIZE || isStopping()) return purged;
    }
  }

  /** @param listed words for which it is pending instead of public */
  async function restoreIn(
    trx: Trx,
    id: string,
    viewer: Viewer,
    listed: readonly string[] = [],
  ): Promise<'normal' | 'draft'> {
    const row = await queries.findTrashed(trx, id, viewer);
    const state = await findAnyState(trx, id);
    if (state?.author_id !== viewer.id) return refuse('ARTICLE_NOT_FOUND');
    if (!row) return state.status === 'cancel' ? refuse('ARTICLE_NOT_FOUND') : state.status;
    await queries.takeFromTrash(trx, id);
    // Restoring an article must not publish it at once.
    await dropPassedSchedule(trx, id, now());
    const isHeld = listed.length > 0 && row.status === 'normal' && state.secret === 0;
    const held = { moderation: 'held', wanted_secret: 0, secret: 1 } as const;
    const restored = await changeArticle(trx, state, { status: row.status, ...(isHeld ? held : {}) });
    await applyVisibility(trx, state, restored, { author: viewer });
    if (isHeld) await moderation.hold(trx, { kind: 'article', id }, ['word'], listed);
    if (row.status === 'normal') await origins.note(trx, 'article', id, viewer);
    return row.status;
  }

  return {
    async list(request: PageRequest, viewer: Viewer): Promise<List<TrashedArticle>> {
      const { rows, total } = await queries.readTrashed(db.read, viewer, request);
      const result = rows.map((row) => ({
        ...toListed(row).item,
        former_status: row.former_status,
        removed_time: toInstant(row.trash_time),
        purge_time: toInstant(row.trash_time + RETENTION_MS),
      }));
      return { result, total };
    },

    /**
     * Restores an article of the viewer as it was; one that is not deleted stays unchanged. An article that
     * staff has hidden stays hidden, and one with a word that was listed meanwhile is pending. Refuses with
     * ARTICLE_NOT_FOUND, and with QUOTA_REACHED if a tag no longer exists and cannot be created again.
     */
    async restore(id: string, viewer: Viewer): Promise<{ id: string; status: 'normal' | 'draft' }> {
      // A text in the trash cannot change meanwhile.
      const listed = await texts.wordsAmong(await queries.textsOf(db.read, id), viewer);
      const status = await db.write(async (trx) => {
        const restored = await restoreIn(trx, id, viewer, listed);
        await moderation.recover(trx, id);
        return restored;
      });
      return { id, status };
    },
    /** As `restore`, inside `trx` and for staff, who change the article's state themselves. */
    restoreIn,

    /** Permanently deletes an article from the viewer's trash. Refuses with ARTICLE_NOT_FOUND. */
    async purge(id: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) =>
        purgeRow(trx, (await queries.findTrashed(trx, id, viewer)) ?? refuse('ARTICLE_NOT_FOUND')),
      );
    },

    /**
     * Permanently deletes what the viewer deleted at or before `until`, which spares articles that the viewer
     * has not seen in the trash yet; returns their number.
     */
    empty: (viewer: Viewer, until: number = now()): Promise<number> => purgeUntil(until, viewer),

    purgeExpired: (isStopping: () => boolean): Promise<number> =>
      purgeUntil(now() - RETENTION_MS, null, isStopping),
  };
}
