import type { ArticleRevision } from '../../../contract/article-fields.ts';
import type { Revision } from '../../../contract/entities.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import { toInstant } from '../../shared/ids.ts';
import { requireOwn } from '../core/article-access.ts';
import { fromColumns, takeFields } from '../core/authored-queries.ts';
import { putPictureUses } from '../core/usage-queries.ts';
import { deleteRevision, findRevision, putRevision } from './revision-queries.ts';
import { dropIdleSchedule } from './schedule-queries.ts';
import { findCurrentText } from './version-queries.ts';
import type { AppParts } from '../../services.ts';

export type RevisionService = ReturnType<typeof createRevisionService>;

export function createRevisionService({
  db,
  quotas,
  versions,
  moderation,
  now,
}: Pick<AppParts, 'db' | 'now' | 'quotas' | 'versions' | 'moderation'>) {
  type Typed = ArticleRevision & { saved_by?: string | undefined };

  async function saveIn(trx: Trx, input: Typed, viewer: Viewer): Promise<number> {
    const article = await requireOwn(trx, input.id, viewer, input);
    const former = await findRevision(trx, input.id);
    const columns = await takeFields(trx, quotas, viewer, input, {
      columns: former ?? article,
      bytes: Buffer.byteLength(former?.content ?? ''),
    });
    await versions.overwritten(trx, viewer, await findCurrentText(trx, input.id), columns);
    const update_time = Math.max(now(), article.update_time + 1, (former?.update_time ?? 0) + 1);
    await putRevision(trx, {
      article_id: input.id,
      ...columns,
      base_time: article.update_time,
      update_time,
      saved_by: input.saved_by ?? '',
    });
    await putPictureUses(trx, 'revision', { id: input.id, authorId: viewer.id, ...columns });
    return update_time;
  }

  return {
    /** As `save`, inside `trx`; returns the time of the revision. */
    saveIn,

    /** Returns the revision or null. The caller must have checked that the viewer is the author. */
    async find(articleId: string): Promise<Revision | null> {
      const row = await findRevision(db.read, articleId);
      return (
        row && {
          ...fromColumns(row),
          content: row.content,
          revision_time: toInstant(row.update_time),
          base_time: toInstant(row.base_time),
          ...(row.saved_by === '' ? {} : { saved_by: row.saved_by }),
        }
      );
    },

    /** Replaces the revision. Refuses as `requireOwn`, and with ACCOUNT_FULL. */
    async save(input: Typed, viewer: Viewer): Promise<{ revision_time: string }> {
      const time = await db.write((trx) => saveIn(trx, input, viewer));
      return { revision_time: toInstant(time) };
    },

    /** Deletes the revision, if any. Refuses with ARTICLE_NOT_FOUND or NOT_YOURS. */
    async remove(articleId: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        await requireOwn(trx, articleId, viewer);
        const dropped = await findCurrentText(trx, articleId);
        await quotas.store(trx, viewer, -(await deleteRevision(trx, articleId)));
        await moderation.dropChange(trx, 'article', articleId);
        await dropIdleSchedule(trx, articleId);
        const left = await findCurrentText(trx, articleId);
        if (left) await versions.overwritten(trx, viewer, dropped, left.text);
      });
    },
  };
}
