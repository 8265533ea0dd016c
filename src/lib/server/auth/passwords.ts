import { createHash, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { refuse } from '../../contract/rules/errors.ts';
import { createQueue } from '../jobs/queue.ts';

export interface Turn {
  /** Queue key: an address, or a known place. Owners take turns. */
  owner: string;
  /** Whether the account knows the place; such work never waits for unknown places. */
  isKnown: boolean;
}

/** CONTRACT.md, "Tokens": argon2id (the library's default variant) with 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19456, timeCost: 2, parallelism: 1 };
/**
 * Of libuv's four threads, unknown places use two and known places one; one stays free for files. A queue of
 * 64 takes about a second.
 */
const STRANGERS = { running: 2, waiting: 64 };
const KNOWN = { running: 1, waiting: 32 };
const NO_TURN: Turn = { owner: '', isKnown: false };
/** Random bytes in the form of a hash with the same cost; no password matches it. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$9sCD5Yzj8yv0hyWbYb0uQw$Jm3q6d0c7oX1bZyq0vVnZC7xg8o2m5tT9rWlK4hYfUE';
const SHA1 = /^sha1\$([0-9a-f]{40})$/i;

export function createPasswords() {
  const strangers = createQueue(STRANGERS);
  const known = createQueue(KNOWN);
  const run = <T>({ owner, isKnown }: Turn, work: () => Promise<T>) =>
    (isKnown ? known : strangers).run(work, owner);
  return {
    /** Returns a password's argon2id hash in PHC form. Refuses with UNAVAILABLE when the queue is full. */
    hash: (password: string, turn = NO_TURN): Promise<string> =>
      run(turn, () => hash(compatible(password), COST)),
    /**
     * Returns whether `password` matches `stored`, at the same cost for a right, wrong or missing hash
     * (null). `isOutdated`: the stored hash should be replaced. Refuses with UNAVAILABLE when the queue is
     * full.
     */
    async verify(stored: string | null, password: string, turn = NO_TURN) {
      const sha1 = SHA1.exec(stored ?? '')?.[1];
      if (sha1 !== undefined && isSha1Of(sha1, password)) return { matches: true, isOutdated: true };
      const isKnown = stored !== null && stored.startsWith('$argon2id$');
      const matches = await run(turn, () => verify(isKnown ? stored : NOBODY, compatible(password)));
      return { matches: isKnown && matches, isOutdated: false };
    },
  };
}

/** Refuses a new password that attackers try first, with FIELD_INVALID at `field`. */
export async function requireUncommon(password: string, username: string, field: string): Promise<void> {
  // Loaded late: its list takes 4 MB, and most processes never see a new password.
  const { isGuessedFirst } = await import('../../shared/password-guesses.ts');
  if (isGuessedFirst(password, username))
    refuse('FIELD_INVALID', { text: '这个密码太容易被猜到，请换一个', field });
}

/** NIST SP 800-63B asks for NFKC: full-width or differently composed input is the same password. */
const compatible = (password: string): string => password.normalize('NFKC');

/** The predecessor of this software hashed passwords without normalization. */
function isSha1Of(hex: string, password: string): boolean {
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHash('sha1').update(password).digest());
}
