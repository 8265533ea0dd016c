import { noteAccount } from '../shared/request-account.ts';
import { randomBytes } from 'node:crypto';
import type { Device } from '../../contract/account-entities.ts';
import type { TokenPair } from '../../contract/entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Origin } from '../../contract/rules/origins.ts';
import type { Role } from '../../contract/rules/permissions.ts';
import { isBanned, refuseBanned } from '../shared/ban-text.ts';
import type { AppParts } from '../services.ts';
import type { Trx } from '../db/database.ts';
import { toInstant } from '../shared/ids.ts';
import * as queries from './auth-queries.ts';
import { readToken } from './bearer.ts';
import type { RefreshToken, Tokens } from './tokens.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/rules/units.ts';

export interface Viewer {
  id: string;
  username: string;
  signinId: string;
  /** What `origins.note` records of posts. */
  origin: Origin;
  /** Who acts, if that is another account: staff that edits another's page. */
  actorId?: string;
  /** Absent: an author. */
  role?: Role;
  /** Exempt from quotas: the operator acts as this user. */
  isUnlimited?: boolean;
}

export interface Caller {
  viewer: Viewer | null;
  /** Whether the token is genuine but expired: 401 for calls that require a sign-in. */
  expired: boolean;
  /** User of an expired token whose sign-in is still valid: refreshing would succeed. */
  expiredViewer?: Viewer;
  /** Sign-in of a genuine access token, even if expired, so signing out still works. */
  signinId: string | null;
}

export interface Session {
  userId: string;
  username: string;
  refreshToken: RefreshToken;
}

/** CONTRACT.md, "Tokens": how long a replaced token is still accepted. */
const GRACE_PERIOD_MS = 30_000;
/** CONTRACT.md, "Tokens": maximum age of a sign-in, however often it is refreshed. */
const MAX_SIGNIN_MS = 180 * DAY_MS;
const LAST_USED_INTERVAL_MS = HOUR_MS;
/** Maximum age of a sign-in that replaces the password of an account without one. */
const RECENT_MS = 10 * MINUTE_MS;
const MAX_LISTED_SIGNINS = 100;
const PURGE_BATCH_SIZE = 500;
const VISITOR: Caller = { viewer: null, expired: false, signinId: null };

/** Sign-ins: each is a family of refresh tokens, of which one at a time is current. */
export function createSignins(
  parts: Pick<AppParts, 'db' | 'events' | 'now' | 'timeZone'> & { tokens: Tokens },
) {
  const { db, events, tokens, now, timeZone } = parts;
  const ended = (trx: Trx, signinIds: string[]): void => {
    for (const signinId of signinIds) events.emit(trx, { type: 'signed-out', signinId });
  };
  const endIn = async (trx: Trx, signinId: string): Promise<void> => {
    if (await queries.deleteSignin(trx, signinId)) ended(trx, [signinId]);
  };
  const pairOf = async ({ userId, username, refreshToken }: Session): Promise<TokenPair> => ({
    token: await tokens.signAccess({ userId, username, signinId: refreshToken.signinId }),
    refresh_token: await tokens.signRefresh(refreshToken),
  });

  return {
    /** Signs the tokens of a session; call it after the transaction. */
    pairOf,
    /**
     * Starts a sign-in inside `trx`; `client` is the name of the device, '' if unknown. Refuses with
     * ACCOUNT_BANNED, which rolls `trx` back.
     */
    async begin(trx: Trx, userId: string, client = ''): Promise<Session> {
      const signinId = randomBytes(16).toString('base64url');
      const times = tokens.refreshTimes();
      const refreshToken = { id: tokens.newRefreshId(), signinId, ...endingIn(times, times.createTime) };
      await queries.insertSignin(trx, {
        id: signinId,
        user_id: userId,
        create_time: refreshToken.createTime,
        expire_time: refreshToken.expireTime,
        client,
        last_used: refreshToken.createTime,
      });
      await store(trx, tokens, refreshToken);
      // The submitted name may differ from the stored one in case or width.
      const signin = await queries.findSignin(trx, signinId);
      if (!signin) throw new Error('the sign-in was not stored');
      refuseBanned(signin, now(), timeZone);
      return { userId, username: signin.username, refreshToken };
    },
    /**
     * Exchanges a refresh token, or a header that carries one, for a new pair. For 30 s, the replaced token
     * returns the same successor; later it ends the sign-in. Refuses with SIGNIN_REQUIRED.
     */
    async refresh(authorization: string | undefined): Promise<TokenPair> {
      const token = readToken(authorization);
      const claims = token === null ? null : await tokens.readRefresh(token);
      if (!claims) refuse('SIGNIN_REQUIRED');
      const session = await db.write(async (trx) => {
        const outcome = await rotate(trx, tokens, claims, now());
        if (outcome !== 'reused') return outcome;
        // Committed rather than thrown, because the whole family of a stolen token must end.
        await endIn(trx, claims.signinId);
        return null;
      });
      return session ? pairOf(session) : refuse('SIGNIN_REQUIRED');
    },
    end: (signinId: string): Promise<void> => db.write((trx) => endIn(trx, signinId)),
    async endAllOf(trx: Trx, userId: string, which?: { only?: string; except?: string }): Promise<number> {
      const ids = await queries.deleteSigninsOf(trx, userId, which);
      ended(trx, ids);
      return ids.length;
    },
    /** Whether the viewer signed in within the last ten minutes. */
    async isRecent({ id, signinId }: Pick<Viewer, 'id' | 'signinId'>): Promise<boolean> {
      const signin = await queries.findSignin(db.read, signinId);
      return signin?.userId === id && now() - signin.createTime < RECENT_MS;
    },
    async list({ id, signinId }: Pick<Viewer, 'id' | 'signinId'>): Promise<Device[]> {
      const rows = await queries.listSignins(db.read, {
        userId: id,
        instant: now(),
        limit: MAX_LISTED_SIGNINS,
      });
      return rows.map((row) => ({
        id: row.id,
        name: row.client,
        create_time: toInstant(row.createTime),
        last_used: toInstant(row.lastUsed),
        is_current: row.id === signinId,
      }));
    },
    /**
     * Returns the caller of an Authorization header, cookie value or handshake token. Never refuses.
     * @param origin address of the client, which is recorded of posts
     */
    async viewerOf(authorization: string | undefined, origin = ''): Promise<Caller> {
      const token = readToken(authorization);
      const claims = token === null ? null : await tokens.readAccess(token);
      if (!claims) return VISITOR;
      const { signinId, userId } = claims;
      const signin = await queries.findSignin(db.read, signinId);
      const isAlive = signin?.userId === userId && signin.expireTime > now() && !isBanned(signin, now());
      if (!isAlive) return claims.isExpired ? { viewer: null, expired: true, signinId } : VISITOR;
      const { username, role } = signin;
      const viewer = { id: userId, username, signinId, role, origin };
      if (!claims.isExpired) noteAccount(viewer);
      return claims.isExpired
        ? { viewer: null, expired: true, expiredViewer: viewer, signinId }
        : { viewer, expired: false, signinId };
    },
    endedAmong: (signinIds: readonly string[]): Promise<string[]> => queries.listEnded(db.read, signinIds),
    async purgeExpired(): Promise<number> {
      let total = 0;
      for (;;) {
        const gone = await db.write(async (trx) => {
          const ids = await queries.deleteExpiredSignins(trx, now(), PURGE_BATCH_SIZE);
          ended(trx, ids);
          return ids.length;
        });
        total += gone;
        if (gone < PURGE_BATCH_SIZE) return total;
      }
    },
  };
}

/**
 * Exchanges a family's current token for its successor; a recently replaced token returns the same successor.
 * Returns 'reused' for a token replaced too long ago, or unknown in a valid family (its row was deleted);
 * null when the sign-in has ended.
 */
async function rotate(
  trx: Trx,
  tokens: Tokens,
  claims: Pick<RefreshToken, 'id' | 'signinId'>,
  instant: number,
): Promise<Session | 'reused' | null> {
  const { id, signinId } = claims;
  const signin = await queries.findSignin(trx, signinId);
  if (!signin || Math.min(signin.expireTime, signin.createTime + MAX_SIGNIN_MS) <= instant) return null;
  if (isBanned(signin, instant)) return null;
  const hash = tokens.hashOf(id);
  const row = await queries.findRefreshToken(trx, signinId, hash);
  if (!row || (row.replacedTime !== null && instant - row.replacedTime > GRACE_PERIOD_MS)) return 'reused';

  const { userId, username } = signin;
  const successorId = tokens.successorOf(id);
  if (row.successor !== null) {
    const successor = await queries.findRefreshToken(trx, signinId, row.successor);
    return successor && { userId, username, refreshToken: { id: successorId, signinId, ...successor } };
  }
  const times = endingIn(tokens.refreshTimes(), signin.createTime);
  const refreshToken = { id: successorId, signinId, ...times };
  await store(trx, tokens, refreshToken);
  await queries.replaceRefreshToken(trx, hash, tokens.hashOf(successorId), instant);
  const lastUsed = instant - signin.lastUsed < LAST_USED_INTERVAL_MS ? signin.lastUsed : instant;
  await queries.extendSignin(trx, signinId, { expireTime: times.expireTime, lastUsed });
  await queries.deleteReplacedTokens(trx, signinId, instant - GRACE_PERIOD_MS);
  return { userId, username, refreshToken };
}

function endingIn<T extends { expireTime: number }>(times: T, beginning: number): T {
  return { ...times, expireTime: Math.min(times.expireTime, beginning + MAX_SIGNIN_MS) };
}

async function store(trx: Trx, tokens: Tokens, token: RefreshToken): Promise<void> {
  await queries.insertRefreshToken(trx, {
    hash: tokens.hashOf(token.id),
    signin_id: token.signinId,
    create_time: token.createTime,
    expire_time: token.expireTime,
  });
}
