import type { AccessToken } from '../../../contract/account-entities.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { scopesFor, type Scope } from '../../../contract/rules/scopes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../contract/rules/units.ts';
import type { Trx } from '../../db/database.ts';
import { ACCESS_TOKEN_PREFIX, isAccessToken, newAccessToken } from '../../shared/access-token.ts';
import { isBanned } from '../../shared/ban-text.ts';
import { newId, toInstant } from '../../shared/ids.ts';
import { noteAccount } from '../../shared/request-account.ts';
import { hashOf } from '../../shared/seal.ts';
import type { Proof, Viewer } from '../auth-service.ts';
import { readToken } from '../bearer.ts';
import type { Place } from '../guard/known-places.ts';
import * as queries from './access-token-queries.ts';
import type { AppParts } from '../../services.ts';
import type { AccountParts } from '../account-parts.ts';

const MAX_TOKENS = 50;
/** How long an expired token stays in its owner's list. */
const KEPT_MS = 30 * DAY_MS;
/** Intervals at which a use is recorded, from the same and from another address. */
const USE_INTERVAL_MS = { same: HOUR_MS, other: MINUTE_MS };

interface NewAccessToken {
  name: string;
  scopes: readonly Scope[];
  days: number;
}

interface Bearer {
  viewer: Viewer;
  scopes: readonly string[];
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/**
 * Access tokens: secrets by which programs act for an account, within scopes and for at most a year. Only
 * their hashes are stored. Each use reads the token and its owner from the database, so a revocation, ban or
 * change of role takes effect with the next request on every node.
 */
export function createAccessTokens(
  parts: Pick<AppParts, 'db' | 'now' | 'auth' | 'guard' | 'notifyChange'> & Pick<AccountParts, 'failed'>,
) {
  const { db, auth, guard, notifyChange, failed, now } = parts;
  const noteUse = async (token: queries.BearerRow, address: string): Promise<void> => {
    const instant = now();
    const interval = USE_INTERVAL_MS[token.lastAddress === address ? 'same' : 'other'];
    if (instant - (token.lastUsed ?? 0) < interval) return;
    // A request that only reads must succeed even if writes fail.
    await db.write((trx) => queries.touchToken(trx, token.id, { instant, address })).catch(failed);
  };

  const refuseWrong = async (address: string, text?: string): Promise<never> => {
    await guard.count('token', address);
    return refuse('ACCESS_TOKEN_INVALID', text === undefined ? {} : { text });
  };

  return {
    /**
     * Returns the bearer of an Authorization header, or null if it has no access token. Refuses with
     * ACCESS_TOKEN_INVALID for a malformed, revoked or expired token and for a token of a banned account, and
     * with TOO_MANY_REQUESTS after many from one address. Looks up no token with a wrong checksum.
     */
    async bearerOf(authorization: string | undefined, address: string): Promise<Bearer | null> {
      if (!authorization?.includes(ACCESS_TOKEN_PREFIX)) return null;
      const token = readToken(authorization);
      if (token === null || !isAccessToken(token)) return refuseWrong(address, '访问令牌不完整，请重新复制');
      const found = await queries.findBearer(db.read, hashOf(token));
      if (!found || isBanned(found, now())) return refuseWrong(address);
      if (found.expireTime <= now())
        return refuseWrong(address, '访问令牌已过期，请到「账号设置」里新建一个');
      const { userId: id, username, role } = found;
      const viewer = { id, username, signinId: '', role, origin: address };
      noteAccount(viewer);
      await noteUse(found, address);
      return { viewer, scopes: JSON.parse(found.scopes) as string[] };
    },
    async list({ id }: Pick<Viewer, 'id'>): Promise<AccessToken[]> {
      return (await queries.listTokens(db.read, id)).map(toWire);
    },
    /** Tokens of an account, or of everyone, for the operator. */
    async listAll(userId?: string): Promise<(AccessToken & { username: string })[]> {
      const rows = await queries.listTokens(db.read, userId);
      return rows.map((row) => ({ ...toWire(row), username: row.username }));
    },
    /**
     * Creates a token and mails its owner. Refuses with PASSWORD_WRONG, CODE_WRONG, TOO_MANY_REQUESTS,
     * ACCESS_TOKENS_TOO_MANY, and FIELD_INVALID for a scope that the owner's role does not allow.
     * @returns the token, which cannot be read again
     */
    async create(viewer: Viewer, wanted: NewAccessToken & Proof, from: Place) {
      const { name, scopes, days, ...proof } = wanted;
      const allowed = scopesFor(viewer.role);
      if (!scopes.every((scope) => allowed.includes(scope)))
        refuse('FIELD_INVALID', { text: '其中有只有站务和站长才能选的权限', field: 'scopes' });
      await auth.confirmChange(viewer, proof, from);
      const token = newAccessToken();
      await db.write(async (trx) => {
        if ((await queries.countTokens(trx, viewer.id)) >= MAX_TOKENS) refuse('ACCESS_TOKENS_TOO_MANY');
        await queries.insertToken(trx, {
          id: newId(),
          user_id: viewer.id,
          name,
          hash: hashOf(token),
          scopes: JSON.stringify(allowed.filter((scope) => scopes.includes(scope))),
          create_time: now(),
          expire_time: now() + days * DAY_MS,
          last_used: null,
          last_address: '',
        });
        await notifyChange(trx, viewer.id, 'access-token-added');
      });
      return { token };
    },
    /** Revokes one of the viewer's tokens, whether or not it still exists. */
    async revoke({ id: userId }: Pick<Viewer, 'id'>, id: string): Promise<void> {
      await db.write((trx) => queries.deleteTokens(trx, userId, id));
    },
    /**
     * Revokes a token for the operator and mails its owner; `also` runs in the same transaction. Refuses with
     * ACCESS_TOKEN_NOT_FOUND.
     */
    revokeAny: (
      id: string,
      also: (trx: Trx, token: { name: string; userId: string; username: string }) => Promise<void>,
    ): Promise<{ name: string; username: string }> =>
      db.write(async (trx) => {
        const token = (await queries.findToken(trx, id)) ?? refuse('ACCESS_TOKEN_NOT_FOUND');
        await queries.deleteTokens(trx, token.userId, id);
        await also(trx, token);
        await notifyChange(trx, token.userId, 'access-token-revoked');
        return token;
      }),
    removeAll: async (trx: Trx, userId: string): Promise<void> =>
      void (await queries.deleteTokens(trx, userId)),
    purgeExpired: (): Promise<void> => db.write((trx) => queries.deleteTokensBefore(trx, now() - KEPT_MS)),
  };
}

const toWire = (row: queries.AccessTokenRow): AccessToken => ({
  id: row.id,
  name: row.name,
  scopes: JSON.parse(row.scopes) as Scope[],
  create_time: toInstant(row.createTime),
  expire_time: toInstant(row.expireTime),
  last_used: row.lastUsed === null ? null : toInstant(row.lastUsed),
  last_address: row.lastAddress,
});
