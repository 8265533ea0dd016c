import { randomBytes } from 'node:crypto';
import { escapeLiteral } from 'pg';
import type { NoticeNumbers } from '../database.ts';
import { createAcks } from './postgres-acks.ts';
import type { Writer } from './postgres-pool.ts';

export const CHANNEL = 'moye';

/** NOTIFY takes less than 8,000 bytes (https://www.postgresql.org/docs/current/sql-notify.html). */
const MAX_PAYLOAD_BYTES = 7_999;
/** A transaction that needs more letters only announces that there was too much. */
const MAX_LETTERS = 50;

/** The sending process, its sequence number, and the notices; null if there were too many to send. */
interface Letter {
  from: string;
  number: number;
  notices: unknown[] | null;
}

/**
 * Maximum age of the last answered probe on the listening connection for which cached pages may be used.
 * PostgreSQL passes notices on before it confirms the commit, and sends a session its notices before it
 * answers the next query: the answer proves that all notices confirmed before the query have arrived.
 */
export const LEASE_MS = 250;

export type Outbox = ReturnType<typeof createOutbox>;
export type Sealed = ReturnType<Outbox['seal']>;

export function createOutbox() {
  const from = randomBytes(9).toString('base64url');
  const acks = createAcks(from, LEASE_MS);
  // Two writers commit in any order, and a confirmation covers all earlier letters of its sender.
  const senders: Record<Writer, string> = { writer: from, aside: `${from}~` };
  const isOwn = (letter: Letter) => Object.values(senders).includes(letter.from);
  const numbers: NoticeNumbers = { sent: 0, received: 0, losses: 0 };
  /** Letters of this process that have not come back yet, and when their commit was sent. */
  const expected = new Map<number, number>();
  let count = 0;
  let isExpecting = false;
  let observe: (seconds: number) => void = () => {};
  let observeSent = (): void => {};

  return {
    numbers,
    acks,
    observeLag: (observer: typeof observe) => void (observe = observer),
    /** Calls `observer` when notices were committed, or may have been, before this process acts on them. */
    observeSent: (observer: typeof observeSent) => void (observeSent = observer),

    /**
     * Packs notices into letters; the writer acts on the commit, not on the letters' return. Those written
     * aside concern no cached page: no one waits until they are received.
     */
    seal(notices: readonly unknown[], writer: Writer) {
      const sender = senders[writer];
      const letters = pack(notices).map((packed): Letter => ({
        from: sender,
        number: ++count,
        notices: packed,
      }));
      numbers.sent += letters.length;
      if (isExpecting) for (const { number } of letters) expected.set(number, performance.now());
      const send = (letter: Letter) => `notify ${CHANNEL}, ${escapeLiteral(JSON.stringify(letter))};`;
      return {
        /** SQL that sends them with the commit; each statement ends with a semicolon. */
        statements: letters.map(send).join(''),
        /** For an unconfirmed commit: if the notices arrive after all, they count as another process's. */
        disown(): void {
          for (const { number } of letters) expected.delete(number);
          if (letters.length > 0) observeSent();
        },
        /** Resolves when all other processes have received them, or use no cached page. */
        async received(): Promise<void> {
          if (letters.length > 0) observeSent();
          const last = letters.at(-1);
          if (last?.from === from) await acks.received(last.number);
        },
      };
    },

    /**
     * Returns notices in order, empty for this process's own letter, null if it was unreadable or had too
     * many; and the sender and number to confirm unless it is its own.
     */
    open(payload: string): {
      notices: unknown[] | null;
      confirm?: { to: string; number: number } | undefined;
    } {
      const letter = read(payload);
      const sentAt = letter && isOwn(letter) ? expected.get(letter.number) : undefined;
      if (!letter || sentAt === undefined) {
        numbers.received++;
        const confirm = letter && !isOwn(letter) ? { to: letter.from, number: letter.number } : undefined;
        return { notices: letter?.notices ?? null, confirm };
      }
      expected.delete(letter.number);
      observe((performance.now() - sentAt) / 1000);
      return { notices: [] };
    },

    expect(): void {
      isExpecting = true;
      expected.clear();
    },
    expectNothing(): void {
      isExpecting = false;
      expected.clear();
    },
  };
}

function pack(notices: readonly unknown[]): (unknown[] | null)[] {
  const OVERHEAD = 100;
  const letters: unknown[][] = [];
  let room = 0;
  for (const notice of notices) {
    const size = Buffer.byteLength(JSON.stringify(notice)) + 1;
    if (size > MAX_PAYLOAD_BYTES - OVERHEAD) return [null];
    if (size > room) {
      letters.push([]);
      room = MAX_PAYLOAD_BYTES - OVERHEAD;
    }
    letters.at(-1)?.push(notice);
    room -= size;
  }
  return letters.length > MAX_LETTERS ? [null] : letters;
}

function read(payload: string): Letter | null {
  try {
    const letter = JSON.parse(payload) as Partial<Letter> | null;
    const { from, number, notices } = letter ?? {};
    if (typeof from !== 'string' || typeof number !== 'number') return null;
    return { from, number, notices: Array.isArray(notices) ? notices : null };
  } catch {
    return null;
  }
}
