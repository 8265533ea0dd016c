import { createHash, randomBytes } from 'node:crypto';
import type { Queryable, Trx } from '../db/database.ts';
import * as queries from './ticket-queries.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What a ticket is for, and for how long it is good. */
const LASTS = {
  /** The password was right: a code is still to come. */
  'second-factor': 10 * MINUTE_MS,
  /** A secret that the app's first code is to confirm. */
  totp: 30 * MINUTE_MS,
  /** A challenge to a new passkey. */
  passkey: 10 * MINUTE_MS,
  /** A challenge that has been answered: it is not taken again. */
  answered: 10 * MINUTE_MS,
  /** An address to be shown to be one's own. */
  email: DAY_MS,
  /** A new password for whoever has lost theirs. */
  reset: DAY_MS,
  /** A download of all that is one's own. */
  export: 2 * MINUTE_MS,
  /** A download that was begun: there may be so many. */
  exported: 60 * MINUTE_MS,
} as const;
export type TicketKind = keyof typeof LASTS;

export interface Ticket {
  userId: string | null;
  payload: string;
}

export type Tickets = ReturnType<typeof createTickets>;

/** Secrets that let their bearer do one thing once. Stored are their hashes alone. */
export function createTickets({ now }: { now: () => number }) {
  const find = (db: Queryable, kind: TicketKind, secret: string): Promise<Ticket | null> =>
    queries.findTicket(db, { hash: hashOf(secret), kind, instant: now() });
  return {
    /** Makes a ticket inside `trx` and returns its secret. */
    async issue(trx: Trx, kind: TicketKind, { userId, payload }: Ticket): Promise<string> {
      const secret = randomBytes(32).toString('base64url');
      const expire_time = now() + LASTS[kind];
      await queries.insertTicket(trx, { hash: hashOf(secret), kind, user_id: userId, payload, expire_time });
      return secret;
    },
    /** What a ticket says that is still good; null for any other. */
    find,
    /** The same, and the ticket is used up. */
    async take(trx: Trx, kind: TicketKind, secret: string): Promise<Ticket | null> {
      const ticket = await find(trx, kind, secret);
      if (ticket) await queries.deleteTicket(trx, hashOf(secret));
      return ticket;
    },
    /** What a ticket may be called where its secret must not be told. */
    nameOf: hashOf,
    /** Notes inside `trx` that `secret` was used; false when it was before. */
    async markUsed(trx: Trx, secret: string): Promise<boolean> {
      if (await find(trx, 'answered', secret)) return false;
      await queries.deleteTicket(trx, hashOf(secret));
      const expire_time = now() + LASTS.answered;
      const row = { hash: hashOf(secret), kind: 'answered', user_id: null, payload: '', expire_time };
      await queries.insertTicket(trx, row);
      return true;
    },
    /** How many of a kind a user holds. */
    count: (db: Queryable, kind: TicketKind, userId: string): Promise<number> =>
      queries.countTickets(db, { userId, kind, instant: now() }),
    /** Voids what a user holds, of one kind where it is given. */
    drop: (trx: Trx, userId: string, kind?: TicketKind): Promise<void> =>
      queries.deleteTicketsOf(trx, userId, kind),
    /** Forgets those that are over. */
    purge: (trx: Trx): Promise<void> => queries.deleteTicketsBefore(trx, now()),
  };
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
