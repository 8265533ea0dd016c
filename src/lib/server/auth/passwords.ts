import { createHash, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createQueue } from '../queue.ts';

/** Whose work it is. */
export interface Turn {
  /** Owners take turns: an address, or a known place. */
  owner: string;
  /** Whether the account knows the place: then it waits for nobody whose place its account does not know. */
  isKnown: boolean;
}

/** CONTRACT.md, "Tokens": argon2id (the library's default variant) with 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19456, timeCost: 2, parallelism: 1 };
/** Of libuv's four threads strangers fill two, known places a third; files keep one. 64 wait a second. */
const STRANGERS = { running: 2, waiting: 64 };
const KNOWN = { running: 1, waiting: 32 };
/** The operator's own commands. */
const NO_TURN: Turn = { owner: '', isKnown: false };
/** Random bytes in the form of a hash of the same cost: no password leads to it. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$9sCD5Yzj8yv0hyWbYb0uQw$Jm3q6d0c7oX1bZyq0vVnZC7xg8o2m5tT9rWlK4hYfUE';
const SHA1 = /^sha1\$([0-9a-f]{40})$/i;

/** Hashes and checks passwords off the main thread, a bounded number at once. */
export function createPasswords() {
  const strangers = createQueue(STRANGERS);
  const known = createQueue(KNOWN);
  const run = <T>({ owner, isKnown }: Turn, work: () => Promise<T>) =>
    (isKnown ? known : strangers).run(work, owner);
  return {
    /** The argon2id hash of a new password, in PHC form. Refuses with UNAVAILABLE when too many wait. */
    hash: (password: string, turn = NO_TURN): Promise<string> =>
      run(turn, () => hash(compatible(password), COST)),
    /**
     * Whether `password` is behind `stored`, at the same cost for right, wrong and no hash (null).
     * `isOutdated`: replace what is stored. Refuses with UNAVAILABLE when too many wait.
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

/** NIST SP 800-63B asks for NFKC: a password typed full-width or composed otherwise stays the same. */
const compatible = (password: string): string => password.normalize('NFKC');

/** The predecessor hashed the password as typed. */
function isSha1Of(hex: string, password: string): boolean {
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHash('sha1').update(password).digest());
}
