import { randomBytes } from 'node:crypto';
import type { Queryable, Trx } from '../../db/database.ts';
import { hashOf } from '../../shared/seal.ts';
import * as queries from './safety-queries.ts';
import { DAY_MS, MINUTE_MS } from '../../../contract/rules/units.ts';

const LIFETIMES_MS = {
  'second-factor': 10 * MINUTE_MS,
  totp: 30 * MINUTE_MS,
  passkey: 10 * MINUTE_MS,
  /** Answered challenge, which must not be accepted again. */
  answered: 10 * MINUTE_MS,
  email: DAY_MS,
  reset: DAY_MS,
  /** The account may sign in with the password that a link of the operator has set, despite SSO_ONLY. */
  rescued: 60 * MINUTE_MS,
  /** Begins linking an account at an identity provider. */
  link: 2 * MINUTE_MS,
  /** A person whom an identity provider has confirmed and who has no account yet. */
  newcomer: 30 * MINUTE_MS,
  export: 2 * MINUTE_MS,
  exported: 60 * MINUTE_MS,
  /** Download of a backup. */
  backup: 2 * MINUTE_MS,
} as const;
export type TicketKind = keyof typeof LIFETIMES_MS;

export interface Ticket {
  userId: string | null;
  payload: string;
}

export type Tickets = ReturnType<typeof createTickets>;

/** One-time secrets for one action each. Only their hashes are stored. */
export function createTickets({ now }: { now: () => number }) {
  const find = (db: Queryable, kind: TicketKind, secret: string): Promise<Ticket | null> =>
    queries.findTicket(db, { hash: hashOf(secret), kind, instant: now() });
  return {
    async issue(trx: Trx, kind: TicketKind, { userId, payload }: Ticket): Promise<string> {
      const secret = randomBytes(32).toString('base64url');
      const expire_time = now() + LIFETIMES_MS[kind];
      await queries.insertTicket(trx, { hash: hashOf(secret), kind, user_id: userId, payload, expire_time });
      return secret;
    },
    find,
    async take(trx: Trx, kind: TicketKind, secret: string): Promise<Ticket | null> {
      const ticket = await find(trx, kind, secret);
      if (ticket) await queries.deleteTicket(trx, hashOf(secret));
      return ticket;
    },
    nameOf: hashOf,
    /** Records inside `trx` that `secret` was used; returns false if it was used before. */
    async markUsed(trx: Trx, secret: string): Promise<boolean> {
      if (await find(trx, 'answered', secret)) return false;
      await queries.deleteTicket(trx, hashOf(secret));
      const expire_time = now() + LIFETIMES_MS.answered;
      const row = { hash: hashOf(secret), kind: 'answered', user_id: null, payload: '', expire_time };
      await queries.insertTicket(trx, row);
      return true;
    },
    count: (db: Queryable, kind: TicketKind, userId: string): Promise<number> =>
      queries.countTickets(db, { userId, kind, instant: now() }),
    drop: (trx: Trx, userId: string, kind?: TicketKind): Promise<void> =>
      queries.deleteTicketsOf(trx, userId, kind),
    purge: (trx: Trx): Promise<void> => queries.deleteTicketsBefore(trx, now()),
  };
}
