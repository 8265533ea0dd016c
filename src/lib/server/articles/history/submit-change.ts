import type { EditedArticle } from '../../../contract/article-fields.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import type { Judgement } from '../../moderation/moderation-service.ts';
import { toInstant } from '../../shared/ids.ts';
import { requireOwn } from '../core/article-access.ts';
import type { Saved } from '../core/article-save.ts';
import { dropIdleSchedule } from './schedule-queries.ts';
import type { Uses } from '../../services.ts';

/** Times of a public article and of its submitted change, in milliseconds since the epoch. */
interface Waiting {
  update_time: number;
  revision_time: number;
}
/** A further write in the transaction of a save; `waiting` is null unless the change waits for staff. */
export type Also = (trx: Trx, waiting: Waiting | null) => Promise<void>;

type Input = EditedArticle & Saved & { status: 'normal' | 'draft' };

export function createSubmitChange({
  db,
  revisions,
  moderation,
  origins,
}: Uses<'revisions' | 'moderation' | 'origins'>) {
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
