import { refuse } from '../../contract/rules/errors.ts';
import type { Invitation, NewInvitation } from '../../contract/calls/signup-calls.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { InvitationsTable } from '../db/schema/signup-schema.ts';
import { newCode, plainCode } from '../shared/codes.ts';
import { idsIn, newId, toInstant } from '../shared/ids.ts';
import * as queries from './invitation-queries.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { Core } from '../services.ts';

const MAX_LISTED_INVITATIONS = 500;
const CODE_LENGTH = 12;

export type InvitationService = ReturnType<typeof createInvitationService>;

export function createInvitationService({ db, audit, now }: Core) {
  const toWire = (
    row: InvitationsTable & { creator?: string | null },
    guests: readonly string[] = [],
  ): Invitation => ({
    id: row.id,
    code: row.code,
    note: row.note,
    most_uses: row.most_uses,
    uses: row.uses,
    end_time: toInstant(row.end_time),
    create_time: toInstant(row.create_time),
    creator: row.creator ?? '',
    guests: [...guests],
    is_good: isGood(row, now()),
  });
  const get = async (db: Queryable, id: string): Promise<InvitationsTable> =>
    (await queries.findInvitation(db, id)) ?? refuse('INVITATION_NOT_FOUND');

  return {
    /** Creates a code; `actorId` is null on the command line. */
    add: ({ uses, days, note }: NewInvitation, actorId: string | null): Promise<Invitation> =>
      db.write(async (trx) => {
        const time = now();
        const row: InvitationsTable = {
          id: newId(),
          code: newCode(CODE_LENGTH),
          note,
          most_uses: uses,
          uses: 0,
          end_time: time + days * DAY_MS,
          creator_id: actorId,
          create_time: time,
        };
        await queries.insertInvitation(trx, row);
        await audit.write(trx, {
          actorId,
          action: 'invitation.add',
          subject: { kind: 'invitation', id: row.id },
          before: {},
          after: { uses, days, note },
        });
        return toWire(row);
      }),

    async list(): Promise<Invitation[]> {
      const rows = await queries.listInvitations(db.read, MAX_LISTED_INVITATIONS);
      const guests = await queries.listGuests(db.read, idsIn(rows));
      return rows.map((row) => toWire(row, guests.get(row.id)));
    },

    /** Ends a code, given by itself or its id; its users stay. Refuses with INVITATION_NOT_FOUND. */
    end: (named: string, actorId: string | null): Promise<void> =>
      db.write(async (trx) => {
        const byCode = await queries.findByCode(trx, plainCode(named));
        const row = byCode ?? (await get(trx, named));
        if (row.end_time <= now()) return;
        await queries.endInvitation(trx, row.id, now());
        await audit.write(trx, {
          actorId,
          action: 'invitation.end',
          subject: { kind: 'invitation', id: row.id },
          before: { note: row.note, end_time: toInstant(row.end_time) },
          after: { end_time: toInstant(now()) },
        });
      }),

    /** Uses a code once, for an account created in `trx`. Refuses with INVITATION_INVALID. */
    async use(trx: Trx, code: string, userId: string): Promise<void> {
      const row = await queries.findByCode(trx, plainCode(code));
      if (!row || !isGood(row, now())) refuse('INVITATION_INVALID', { field: 'invite' });
      await queries.noteUse(trx, { id: row.id, userId, now: now() });
    },

    async isGood(code: string): Promise<boolean> {
      const row = await queries.findByCode(db.read, plainCode(code));
      return row !== undefined && isGood(row, now());
    },
  };
}

const isGood = ({ uses, most_uses, end_time }: InvitationsTable, now: number) =>
  uses < most_uses && end_time > now;
