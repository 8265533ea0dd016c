import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2';
import { refuse } from '../../../contract/rules/errors.ts';
import { ProofOfWork, WorkToDo } from '../../../contract/human-check.ts';
import type { Trx } from '../../db/database.ts';
import type { AppParts } from '../../services.ts';
import { deriveKey } from '../tokens.ts';
import { MINUTE_MS } from '../../../contract/rules/units.ts';

/** Equals the time that used tickets are remembered (tickets.ts): a proof must not outlive it. */
const CHALLENGE_LIFETIME_MS = 10 * MINUTE_MS;
/** Maximum number of keys to try: with a geometric distribution, some phones would compute for very long. */
const MAX_KEYS = 1000;
/**
 * PBKDF2 rounds per key. A million on average: a third of a second on a desktop, a few seconds on a weak
 * phone. Without crypto.subtle (plain http except on localhost), JavaScript takes ten times as long.
 */
const ROUNDS = { native: 2000, script: 200 } as const;
const HAS_NATIVE = /^https:|^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|$)/;

/** Records inside `trx` that a proof was used. Refuses with CHECK_FAILED if it was used before. */
export type UseProof = (trx: Trx) => Promise<void>;

export type HumanCheck = ReturnType<typeof createHumanCheck>;

/**
 * Proof of work that a browser does before signing up or before a new account comments, if the operator
 * requires it. It needs no third party and no puzzle, and makes mass sign-ups costly. A challenge is signed
 * instead of stored; only answered ones are stored, for ten minutes. `ofSignup` and `ofComment` refuse with
 * CHECK_NEEDED, CHECK_FAILED.
 * @param parts `origin` is the site's as browsers see it
 */
export function createHumanCheck(
  parts: Pick<AppParts, 'auth' | 'options' | 'moderation' | 'now'> & {
    secret: Uint8Array | string;
    origin: string;
  },
) {
  const { auth, secret, origin, options, moderation, now } = parts;
  const keyOf = (purpose: string) => deriveKey(secret, purpose).export().toString('hex');
  const secrets = {
    hmacSignatureSecret: keyOf('human check'),
    hmacKeySignatureSecret: keyOf('human check answer'),
  };
  const cost = HAS_NATIVE.test(origin) ? ROUNDS.native : ROUNDS.script;

  async function take(check: string | undefined): Promise<UseProof> {
    if (check === undefined) return refuse('CHECK_NEEDED');
    const proof = readProof(check) ?? refuse('CHECK_FAILED');
    if (proof.challenge.parameters.expiresAt * 1000 <= now()) return refuse('CHECK_FAILED');
    const { verified } = await verifySolution({ ...proof, ...secrets, deriveKey: pbkdf2 });
    if (!verified) return refuse('CHECK_FAILED');
    return async (trx) => {
      if (!(await auth.tickets.markUsed(trx, proof.challenge.signature))) refuse('CHECK_FAILED');
    };
  }

  return {
    async ask(): Promise<WorkToDo> {
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        counter: randomInt(MAX_KEYS),
        deriveKey: pbkdf2,
        expiresAt: new Date(now() + CHALLENGE_LIFETIME_MS),
        ...secrets,
      });
      return WorkToDo.parse(challenge);
    },
    /** Takes the proof of a visitor who writes without an account, also if sign-ups need none. */
    ofVisitor: take,
    isOnSignup: async (): Promise<boolean> => (await options.read()).humanCheck !== 'off',
    async ofSignup(check: string | undefined): Promise<UseProof> {
      return (await options.read()).humanCheck === 'off' ? needless : take(check);
    },
    async ofComment(
      author: Parameters<typeof moderation.isNewCommenter>[0],
      check: string | undefined,
    ): Promise<UseProof> {
      const isAsked =
        (await options.read()).humanCheck === 'comments' && (await moderation.isNewCommenter(author));
      return isAsked ? take(check) : needless;
    },
  };
}

const needless: UseProof = () => Promise.resolve();

function readProof(check: string): ProofOfWork | null {
  try {
    return ProofOfWork.safeParse(JSON.parse(check)).data ?? null;
  } catch {
    return null;
  }
}
