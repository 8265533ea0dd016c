import type { ArticleRevision, EditedArticle } from '../../../contract/article-fields.ts';
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
import type { AppParts, Uses } from '../../services.ts';
import type { Judgement } from '../../moderation/moderation-service.ts';

export type RevisionService = ReturnType<typeof createRevisionService>;

export function createRevisionService(
  parts: Pick<AppParts, 'db' | 'now' | 'quotas' | 'versions' | 'moderation'>,
) {
  const { db, quotas, versions, moderation, now } = parts;
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

/**
 * A further write in the transaction of a save. `waiting`: times of a public article and of its submitted
 * change, in milliseconds since the epoch; null unless the change waits for staff.
 */
export type Also = (
  trx: Trx,
  waiting: { update_time: number; revision_time: number } | null,
) => Promise<void>;

type Input = EditedArticle & { status: 'normal' | 'draft'; saved_by?: string | undefined };

export function createSubmitChange(parts: Uses<'revisions' | 'moderation' | 'origins'>) {
  const { db, revisions, moderation, origins } = parts;
  /**
   * Stores the change of a public article as its unpublished revision, and submits it to staff. Refuses as
   * `RevisionService.save` and `submitChange` do.
   * @param also further writes in the same transaction, which gets the times of the article and of the
   * revision; an error aborts it
   */
  return async function submit(
    { type, status, ...input }: Input,
    viewer: Viewer,
    judgement: Judgement,
    also?: Also,
  ) {
    const { id, update_time, revision_time: _, saved_by: __, ...fields } = input;
    const times = await db.write(async (trx) => {
      const former = await requireOwn(trx, id, viewer, { update_time });
      const time = await revisions.saveIn(trx, input, viewer);
      await also?.(trx, { update_time: former.update_time, revision_time: time });
      await dropIdleSchedule(trx, id);
      await judgement.remember(trx, id);
      const item = { kind: 'article', id, author_id: viewer.id } as const;
      await origins.note(trx, 'article', id, viewer);
      await moderation.submitChange(trx, item, { ...fields, type, status });
      return { update_time: former.update_time, revision_time: time };
    });
    return {
      id,
      update_time: toInstant(times.update_time),
      revision_time: toInstant(times.revision_time),
      pending: true,
    };
  };
}
