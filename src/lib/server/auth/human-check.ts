import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2';
import { refuse } from '../../contract/errors.ts';
import { ProofOfWork, WorkToDo } from '../../contract/human-check.ts';
import type { SiteOptions } from '../../contract/site-options.ts';
import type { Trx } from '../db/database.ts';
import type { Tickets } from './tickets.ts';
import { deriveKey } from './tokens.ts';

/** As long as a used ticket is remembered (tickets.ts): no proof is good for longer. */
const LASTS_MS = 10 * 60_000;
/** Keys that are tried at most. Known beforehand: a geometric distribution would keep some phones long. */
const MOST_TRIES = 1000;
/**
 * Rounds of PBKDF2 for a key. A million in the mean: a third of a second on a desk, a few on a weak phone.
 * Where browsers have no crypto.subtle, plain http elsewhere than on this machine, script takes tenfold time.
 */
const ROUNDS = { native: 2000, script: 200 } as const;
const HAS_NATIVE = /^https:|^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|$)/;

/** Notes inside `trx` that a proof was used. Refuses with CHECK_FAILED where it was before. */
export type UseProof = (trx: Trx) => Promise<void>;

export type HumanCheck = ReturnType<typeof createHumanCheck>;

/**
 * Proof of work that a browser does before it signs up or before a new account comments, where the operator
 * asks for it: no third party, nothing to recognise, a price for whoever does it by the thousand. A challenge
 * is signed and not stored; stored is for ten minutes which ones were answered.
 * @param options `origin` is the site's as browsers see it; `isNew` tells whether an account is a new one
 */
export function createHumanCheck(options: {
  tickets: Pick<Tickets, 'markUsed'>;
  secret: Uint8Array | string;
  origin: string;
  readOptions: () => Promise<SiteOptions>;
  isNew: (author: { id: string; isUnlimited?: boolean | undefined }) => Promise<boolean>;
  now: () => number;
}) {
  const { tickets, secret, origin, readOptions, isNew, now } = options;
  const keyOf = (purpose: string) => deriveKey(secret, purpose).export().toString('hex');
  const secrets = {
    hmacSignatureSecret: keyOf('human check'),
    hmacKeySignatureSecret: keyOf('human check answer'),
  };
  const cost = HAS_NATIVE.test(origin) ? ROUNDS.native : ROUNDS.script;

  /** Looks at a proof, and uses it up with what it returns. Refuses with CHECK_NEEDED, CHECK_FAILED. */
  async function take(check: string | undefined): Promise<UseProof> {
    if (check === undefined) return refuse('CHECK_NEEDED');
    const proof = readProof(check) ?? refuse('CHECK_FAILED');
    if (proof.challenge.parameters.expiresAt * 1000 <= now()) return refuse('CHECK_FAILED');
    const { verified } = await verifySolution({ ...proof, ...secrets, deriveKey: pbkdf2 });
    if (!verified) return refuse('CHECK_FAILED');
    return async (trx) => {
      if (!(await tickets.markUsed(trx, proof.challenge.signature))) refuse('CHECK_FAILED');
    };
  }

  return {
    /** Work for a browser to do. */
    async ask(): Promise<WorkToDo> {
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        counter: randomInt(MOST_TRIES),
        deriveKey: pbkdf2,
        expiresAt: new Date(now() + LASTS_MS),
        ...secrets,
      });
      return WorkToDo.parse(challenge);
    },
    /** Whether whoever signs up has to show a proof. */
    isOnSignup: async (): Promise<boolean> => (await readOptions()).humanCheck !== 'off',
    /** What a sign-up does with its proof. Refuses with CHECK_NEEDED, CHECK_FAILED. */
    async ofSignup(check: string | undefined): Promise<UseProof> {
      return (await readOptions()).humanCheck === 'off' ? needless : take(check);
    },
    /** What a comment of `author` does with its proof. Refuses with CHECK_NEEDED, CHECK_FAILED. */
    async ofComment(author: Parameters<typeof isNew>[0], check: string | undefined): Promise<UseProof> {
      const isAsked = (await readOptions()).humanCheck === 'comments' && (await isNew(author));
      return isAsked ? take(check) : needless;
    },
  };
}

const needless: UseProof = () => Promise.resolve();

/** What a browser has sent, or null for anything else. */
function readProof(check: string): ProofOfWork | null {
  try {
    return ProofOfWork.safeParse(JSON.parse(check)).data ?? null;
  } catch {
    return null;
  }
}
