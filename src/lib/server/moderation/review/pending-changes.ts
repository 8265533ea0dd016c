import { refuse } from '../../../contract/rules/errors.ts';
import type { Trx } from '../../db/database.ts';
import type { PendingChangesTable } from '../../db/schema/moderation-schema.ts';
import * as queries from './change-queries.ts';
import type { AppParts } from '../../services.ts';

type Item = Pick<PendingChangesTable, 'kind' | 'id' | 'author_id'>;

/** Changes of approved items that wait for staff. */
export function createPendingChanges({
  db,
  events,
  notices,
  now,
}: Pick<AppParts, 'db' | 'events' | 'now' | 'notices'>) {
  /**
   * Stores inside `trx` that the change of an item waits. Refuses with RESUBMIT_UNCHANGED if staff has
   * refused the same change.
   */
  async function submitChange(trx: Trx, item: Item, submitted: object): Promise<void> {
    const { kind, id } = item;
    const fields = JSON.stringify(submitted);
    const former = await queries.findChange(trx, kind, id);
    if (former?.state === 'refused' && former.fields === fields) refuse('RESUBMIT_UNCHANGED');
    const create_time = former?.state === 'held' ? former.create_time : now();
    const reasons = JSON.stringify(['changed']);
    await queries.putChange(trx, { ...item, state: 'held', reasons, note: '', fields, create_time });
    events.emit(trx, { type: 'held-changed' });
    if (former?.state === 'held') return;
    await notices.notify(trx, {
      kind: 'held',
      title: `有${kind === 'article' ? '文章' : '评论'}批准后有改动`,
      text: '改动通过之前，读者看到的是批准过的内容',
      path: '/admin/held',
      uniqueKey: `changed:${id}:${create_time}`,
    });
  }

  async function dropChange(trx: Trx, kind: Item['kind'], id: string): Promise<void> {
    if (await queries.deleteChange(trx, kind, id)) events.emit(trx, { type: 'held-changed' });
  }

  return {
    submitChange,

    /**
     * Changes inside `trx` what waits for staff, or drops it if `amend` returns null. Returns whether a
     * change of the item waited.
     */
    async amendChange<T extends object>(
      trx: Trx,
      item: Item,
      amend: (fields: T) => T | null,
    ): Promise<boolean> {
      const former = await queries.findChange(trx, item.kind, item.id);
      if (former?.state !== 'held') return false;
      const amended = amend(JSON.parse(former.fields) as T);
      if (amended) await submitChange(trx, item, amended);
      else await dropChange(trx, item.kind, item.id);
      return true;
    },

    /** The changes of `ids` that wait for staff or were refused, by id. */
    changesAmong: (kind: PendingChangesTable['kind'], ids: readonly string[]) =>
      queries.findChanges(db.read, kind, ids),

    dropChange,
  };
}
