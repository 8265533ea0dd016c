import { refuse } from '../../../contract/rules/errors.ts';
import type { Database, Trx } from '../../db/database.ts';
import type { Events } from '../../db/events.ts';
import type { PendingChangesTable } from '../../db/schema/moderation-schema.ts';
import type { Notifier } from '../../notices/notice-service.ts';
import * as queries from './change-queries.ts';

interface Parts {
  db: Pick<Database, 'read'>;
  events: Pick<Events, 'emit'>;
  notices: Notifier;
  now: () => number;
}

/** Changes of approved items that wait for staff. */
export function createPendingChanges({ db, events, notices, now }: Parts) {
  return {
    /**
     * Stores inside `trx` that the change of an item waits. Refuses with RESUBMIT_UNCHANGED if staff has
     * refused the same change.
     */
    async submitChange(
      trx: Trx,
      item: Pick<PendingChangesTable, 'kind' | 'id' | 'author_id'>,
      submitted: object,
    ): Promise<void> {
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
    },

    /** The changes of `ids` that wait for staff or were refused, by id. */
    changesAmong: (kind: PendingChangesTable['kind'], ids: readonly string[]) =>
      queries.findChanges(db.read, kind, ids),

    async dropChange(trx: Trx, kind: PendingChangesTable['kind'], id: string): Promise<void> {
      if (await queries.deleteChange(trx, kind, id)) events.emit(trx, { type: 'held-changed' });
    },
  };
}
