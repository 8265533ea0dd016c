import type { Identity } from '../../contract/account-entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { OAUTH_PATH } from '../../contract/rules/paths.ts';
import type { Proof, Viewer } from '../auth/auth-service.ts';
import type { Place } from '../auth/guard/known-places.ts';
import { toInstant } from '../shared/ids.ts';
import { hashOf } from '../shared/seal.ts';
import * as queries from './identity-queries.ts';
import type { Uses } from '../services.ts';

const ID_CHARACTERS = 24;
const idOf = (issuer: string): string => hashOf(issuer).slice(0, ID_CHARACTERS);

export type IdentityService = ReturnType<typeof createIdentityService>;

/** A user's accounts at identity providers. */
export function createIdentityService(parts: Uses<'sso' | 'auth' | 'users' | 'notifyChange'>) {
  const { db, sso, auth, users } = parts;
  return {
    async list(userId: string): Promise<Identity[]> {
      const rows = await queries.listIdentities(db.read, userId);
      const { offered } = await sso.ways();
      const providerOf = (issuer: string) => offered.find((each) => each.issuer === issuer);
      return rows.map(({ issuer, name, createTime, lastUsed }) => ({
        id: idOf(issuer),
        provider: providerOf(issuer)?.id ?? '',
        label: providerOf(issuer)?.label ?? '已停用的登录方式',
        name,
        create_time: toInstant(createTime),
        last_used: toInstant(lastUsed),
      }));
    },
    /**
     * Returns the address that begins linking an account at a provider, valid for two minutes. Refuses with
     * PROVIDER_UNKNOWN, PASSWORD_WRONG, CODE_WRONG, SIGNIN_AGAIN.
     */
    async begin(viewer: Viewer, { provider, ...proof }: Proof & { provider: string }, from: Place) {
      if (!(await sso.ways()).offered.some(({ id }) => id === provider)) refuse('PROVIDER_UNKNOWN');
      await auth.confirmChange(viewer, proof, from);
      const ticket = { userId: viewer.id, payload: provider };
      const secret = await db.write((trx) => auth.tickets.issue(trx, 'link', ticket));
      return { url: `${OAUTH_PATH}/${provider}?link=${secret}` };
    },
    /**
     * Unlinks an account at a provider. Refuses with LAST_WAY_IN if the user could no longer sign in, and as
     * `begin`.
     */
    async remove(viewer: Viewer, { id, ...proof }: Proof & { id: string }, from: Place): Promise<void> {
      await auth.confirmChange(viewer, proof, from);
      const { offered, isOnly } = await sso.ways();
      await db.write(async (trx) => {
        const rows = await queries.listIdentities(trx, viewer.id);
        const gone = rows.find(({ issuer }) => idOf(issuer) === id);
        if (!gone) return;
        const isLeft = rows.some(
          (row) => row !== gone && offered.some(({ issuer }) => issuer === row.issuer),
        );
        const hasPassword = !isOnly && (await users.hasPassword(viewer.id, trx));
        if (!isLeft && !hasPassword) refuse('LAST_WAY_IN');
        await queries.deleteIdentity(trx, viewer.id, gone.issuer);
        await parts.notifyChange(trx, viewer.id, 'identity-removed');
      });
    },
  };
}
