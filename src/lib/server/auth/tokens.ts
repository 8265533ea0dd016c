import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { hashOf } from '../shared/seal.ts';

export interface AccessClaims {
  userId: string;
  signinId: string;
}

/** A refresh token as stored, instants in milliseconds: equal values sign to the same text. */
export interface RefreshToken {
  /** The token's identifier (`jti`), secret: only its hash is stored. */
  id: string;
  signinId: string;
  createTime: number;
  expireTime: number;
}

export type Tokens = ReturnType<typeof createTokens>;

const ALGORITHM = 'HS256';
const ISSUER = 'moye';
const MAX_TOKEN_CHARACTERS = 2048;
/** Verifying a signature takes a twentieth of a comment's time. */
const MAX_VERIFIED_TOKENS = 1_000;
const KINDS = {
  access: { typ: 'at+jwt', aud: 'moye:access' },
  refresh: { typ: 'rt+jwt', aud: 'moye:refresh' },
} as const;
type Kind = keyof typeof KINDS;

/**
 * JWTs of CONTRACT.md, "Tokens"; access and refresh tokens differ in type, audience and key.
 * @param options `secret` signs all tokens; lifetimes in seconds; `now` in milliseconds
 */
export function createTokens(options: {
  secret: Uint8Array | string;
  accessTtl: number;
  refreshTtl: number;
  now?: () => number;
}) {
  const { secret, accessTtl, refreshTtl, now = Date.now } = options;
  const keys: Record<Kind, KeyObject> = {
    access: deriveKey(secret, 'access token'),
    refresh: deriveKey(secret, 'refresh token'),
  };
  const successorKey = deriveKey(secret, 'refresh successor');
  const seconds = () => Math.floor(now() / 1000);

  const sign = (kind: Kind, claims: JWTPayload): Promise<string> =>
    new SignJWT({ ...claims, iss: ISSUER, aud: KINDS[kind].aud })
      .setProtectedHeader({ alg: ALGORITHM, typ: KINDS[kind].typ })
      .sign(keys[kind]);
  const read = (kind: Kind, token: string) => verify(token, keys[kind], KINDS[kind], new Date(now()));
  /** Claims of genuine access tokens, which stay genuine and only expire. */
  const verified = new LRUCache<string, JWTPayload>({ max: MAX_VERIFIED_TOKENS });
  const readOnce = async (token: string) => {
    const claims = verified.get(token);
    if (claims) return { claims, isExpired: Number(claims.exp) <= seconds() };
    const found = await read('access', token);
    if (found) verified.set(token, found.claims);
    return found;
  };

  return {
    /** Signs an access token. Its username is for browsers; the server reads only the ids. */
    signAccess: ({ userId, signinId, username }: AccessClaims & { username: string }): Promise<string> =>
      sign('access', {
        sub: userId,
        sid: signinId,
        name: username,
        iat: seconds(),
        exp: seconds() + accessTtl,
      }),
    /** Returns the claims of a genuine access token, even if expired; null for anything else. */
    async readAccess(token: string): Promise<(AccessClaims & { isExpired: boolean }) | null> {
      const found = await readOnce(token);
      if (!found) return null;
      const { sub, sid } = found.claims;
      if (typeof sub !== 'string' || typeof sid !== 'string') return null;
      return { userId: sub, signinId: sid, isExpired: found.isExpired };
    },
    signRefresh: ({ id, signinId, createTime, expireTime }: RefreshToken): Promise<string> =>
      sign('refresh', { jti: id, sid: signinId, iat: createTime / 1000, exp: expireTime / 1000 }),
    /** Returns the claims of a genuine, unexpired refresh token; null for anything else. */
    async readRefresh(token: string): Promise<Pick<RefreshToken, 'id' | 'signinId'> | null> {
      const found = await read('refresh', token);
      if (!found || found.isExpired) return null;
      const { jti, sid } = found.claims;
      return typeof jti === 'string' && typeof sid === 'string' ? { id: jti, signinId: sid } : null;
    },
    /** Times of a refresh token issued now, in milliseconds; whole seconds, so row and token agree. */
    refreshTimes: () => ({ createTime: seconds() * 1000, expireTime: (seconds() + refreshTtl) * 1000 }),
    newRefreshId: () => randomBytes(32).toString('base64url'),
    /**
     * Returns the identifier of the token that replaces `id`: its keyed hash. A client whose refresh response
     * was lost can get it again, although it is not stored and cannot be computed without the secret.
     */
    successorOf: (id: string): string => createHmac('sha256', successorKey).update(id).digest('base64url'),
    hashOf,
  };
}

/** Derives a separate key for each purpose from the server's secret (RFC 5869). */
export function deriveKey(secret: Uint8Array | string, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `moye ${purpose}`, 32)));
}

async function verify(token: string, key: KeyObject, kind: { typ: string; aud: string }, currentDate: Date) {
  if (token.length > MAX_TOKEN_CHARACTERS) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: kind.typ,
      audience: kind.aud,
      issuer: ISSUER,
      requiredClaims: ['iat', 'exp'],
      currentDate,
    });
    return { claims: payload, isExpired: false };
  } catch (error) {
    // jose checks the time last, so an expired token has our signature, type, audience and issuer.
    if (error instanceof errors.JWTExpired) return { claims: error.payload, isExpired: true };
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
