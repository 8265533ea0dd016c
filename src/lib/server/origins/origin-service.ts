import type { List } from '../../contract/entities.ts';
import type { PostOrigin } from '../../contract/calls/origin-calls.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import { newId, toInstant } from '../shared/ids.ts';
import type { PageRequest } from '../shared/paging.ts';
import * as queries from './origin-queries.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { Uses } from '../services.ts';

export type OriginService = ReturnType<typeof createOriginService>;

/**
 * Records the client address and account of each post for the days that the operator chose (`keepOrigins`),
 * for platforms that must be able to name them. Off by default; only operators read it, and each reading is
 * audited.
 */
export function createOriginService({ db, options, audit, now }: Uses<'options'>) {
  return {
    /** Records inside `trx` who writes an article or comment, or applies as a friend, and from where. */
    async note(
      trx: Trx,
      kind: PostOrigin['kind'],
      item_id: string,
      { id, actorId: user_id = id, origin: address }: Pick<Viewer, 'id' | 'actorId' | 'origin'>,
    ): Promise<void> {
      if (address === null || (await options.read()).keepOrigins === 0) return;
      await queries.insertOrigin(trx, { id: newId(), kind, item_id, user_id, address, create_time: now() });
    },

    /** Lists the newest records of an account name, an address or an item, and records who read them. */
    async list(request: PageRequest & { keywords: string }, actorId: string): Promise<List<PostOrigin>> {
      const { rows, total } = await queries.readOrigins(db.read, request);
      await db.write((trx) =>
        audit.write(trx, {
          actorId,
          action: 'origin.read',
          subject: { kind: 'origin', id: '' },
          before: {},
          after: { keywords: request.keywords, count: total },
        }),
      );
      const result = rows.map((row) => ({
        kind: row.kind,
        id: row.item_id,
        username: row.username,
        address: row.address,
        create_time: toInstant(row.create_time),
      }));
      return { result, total };
    },

    /** Deletes records that are older than the operator chose; all if nothing is recorded any more. */
    async purgeExpired(): Promise<void> {
      const oldest = now() - (await options.read()).keepOrigins * DAY_MS;
      if (await queries.hasOriginsBefore(db.read, oldest))
        await db.write((trx) => queries.deleteOriginsBefore(trx, oldest));
    },
  };
}
