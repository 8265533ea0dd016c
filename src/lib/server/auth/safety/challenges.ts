import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../tokens.ts';
import { MINUTE_MS } from '../../../contract/rules/units.ts';

const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 16;
const CHALLENGE_LIFETIME_MS = 10 * MINUTE_MS;

/**
 * Challenges for passkey sign-ins. Each is signed and carries its time, so nothing is stored for visitors who
 * only look at the page.
 */
export function createChallenges({ secret, now }: { secret: Uint8Array | string; now: () => number }) {
  const key = deriveKey(secret, 'passkey challenge');
  const macOf = (payload: Buffer) =>
    createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);
  return {
    make(): Uint8Array<ArrayBuffer> {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(now(), 0, TIME_BYTES);
      const payload = Buffer.concat([randomBytes(RANDOM_BYTES), time]);
      return new Uint8Array(Buffer.concat([payload, macOf(payload)]));
    },
    /** Returns whether the challenge was made here in the last ten minutes. */
    isGood(challenge: string): boolean {
      const bytes = Buffer.from(challenge, 'base64url');
      const macAt = RANDOM_BYTES + TIME_BYTES;
      if (bytes.length !== macAt + MAC_BYTES) return false;
      const payload = bytes.subarray(0, macAt);
      if (!timingSafeEqual(macOf(payload), bytes.subarray(macAt))) return false;
      const age = now() - payload.readUIntBE(RANDOM_BYTES, TIME_BYTES);
      return age >= 0 && age < CHALLENGE_LIFETIME_MS;
    },
  };
}
