import type { List } from '../../contract/entities.ts';
import type { PostOrigin } from '../../contract/calls/origin-calls.ts';
import type { Database } from '../db/database.ts';
import type { OptionService } from '../settings/option-service.ts';
import { newId, toInstant } from '../shared/ids.ts';
import type { PageRequest } from '../shared/paging.ts';
import type { Audit } from '../staff/audit.ts';
import * as queries from './origin-queries.ts';
import { DAY_MS } from '../../shared/units.ts';

interface Posted {
  kind: 'article' | 'comment';
  id: string;
  account: { id: string; username: string };
  address: string;
}

export type OriginService = ReturnType<typeof createOriginService>;

/**
 * Records the client address and account of each post for the days that the operator chose (`keepOrigins`),
 * for platforms that must be able to name them. Off by default; only operators read it, and each reading is
 * audited.
 */
export function createOriginService({
  db,
  options,
  audit,
  now,
}: {
  db: Database;
  options: Pick<OptionService, 'read'>;
  audit: Audit;
  now: () => number;
}) {
  return {
    async note({ kind, id, account, address }: Posted): Promise<void> {
      if ((await options.read()).keepOrigins === 0) return;
      const row = {
        id: newId(),
        kind,
        item_id: id,
        user_id: account.id,
        username: account.username,
        address,
        create_time: now(),
      };
      await db.write((trx) => queries.insertOrigin(trx, row));
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
