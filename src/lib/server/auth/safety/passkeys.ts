import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Passkey, PasskeyAnswer } from '../../../contract/account-entities.ts';
import type { TokenPair } from '../../../contract/entities.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Trx } from '../../db/database.ts';
import { toInstant } from '../../shared/ids.ts';
import type { Proof, Viewer } from '../auth-service.ts';
import { createChallenges } from './challenges.ts';
import type { Place } from '../guard/known-places.ts';
import * as queries from './safety-queries.ts';
import type { AppParts } from '../../services.ts';
import type { AccountParts } from '../account-parts.ts';

const MAX_PASSKEYS = 20;
/** Loaded on first use: the module tests Node's cryptography, which takes time and logs warnings. */
const load = () => import('@simplewebauthn/server');

export type Passkeys = ReturnType<typeof createPasskeys>;

/**
 * Passkeys (WebAuthn): device keys that sign their user in without name or password. The device always asks
 * for a fingerprint, face or PIN, so a passkey is two factors by itself.
 */
export function createPasskeys(parts: AccountParts & Pick<AppParts, 'auth' | 'notifyChange'>) {
  const { db, auth, site, notifyChange, isSsoOnly, now } = parts;
  const { origin } = site;
  const { hostname } = new URL(origin);
  const challenges = createChallenges(parts);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };

  return {
    /** Browsers support passkeys for host names only, not for IP addresses. */
    isOffered: isIP(hostname.replaceAll(/[[\]]/g, '')) === 0,
    async list(userId: string): Promise<Passkey[]> {
      const rows = await queries.listPasskeys(db.read, userId);
      return rows.map(({ id, name, createTime, lastUsed }) => ({
        id,
        name,
        create_time: toInstant(createTime),
        last_used: toInstant(lastUsed),
      }));
    },
    /**
     * Returns the options for creating a passkey on a device. Refuses with PASSWORD_WRONG, CODE_WRONG,
     * PASSKEYS_TOO_MANY.
     */
    async begin(viewer: Viewer, proof: Proof, from: Place) {
      await auth.confirmChange(viewer, proof, from);
      const known = await queries.listPasskeys(db.read, viewer.id);
      if (known.length >= MAX_PASSKEYS) refuse('PASSKEYS_TOO_MANY');
      const { generateRegistrationOptions } = await load();
      const asked = await generateRegistrationOptions({
        rpName: site.title,
        rpID: hostname,
        userName: viewer.username,
        userID: new TextEncoder().encode(viewer.id),
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: known.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
      });
      const ticket = await db.write(async (trx) => {
        await auth.tickets.drop(trx, viewer.id, 'passkey');
        return auth.tickets.issue(trx, 'passkey', { userId: viewer.id, payload: asked.challenge });
      });
      return { ticket, options: { ...asked } };
    },
    /** Stores a new passkey. Refuses with TICKET_OVER, PASSKEY_UNUSABLE. */
    async add(viewer: Viewer, given: { ticket: string; name: string; response: PasskeyAnswer }) {
      const ticket = await auth.tickets.find(db.read, 'passkey', given.ticket);
      if (ticket?.userId !== viewer.id) return refuse('TICKET_OVER');
      const { verifyRegistrationResponse } = await load();
      const { registrationInfo } = await unlessUnusable(() =>
        verifyRegistrationResponse({
          ...expected,
          response: given.response as unknown as RegistrationResponseJSON,
          expectedChallenge: ticket.payload,
        }),
      );
      const credential = registrationInfo?.credential ?? refuse('PASSKEY_UNUSABLE');
      await db.write(async (trx) => {
        if (!(await auth.tickets.take(trx, 'passkey', given.ticket))) refuse('TICKET_OVER');
        const instant = now();
        const isNew = await queries.insertPasskey(trx, {
          id: credential.id,
          userId: viewer.id,
          name: given.name,
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          signCount: credential.counter,
          transports: JSON.stringify(credential.transports ?? []),
          createTime: instant,
          lastUsed: instant,
        });
        if (!isNew) refuse('PASSKEY_UNUSABLE');
        await notifyChange(trx, viewer.id, 'passkey-added');
      });
    },
    /** Renames one of the viewer's passkeys. Refuses with PASSKEY_NOT_FOUND. */
    async rename(viewer: Viewer, { id, name }: { id: string; name: string }): Promise<void> {
      if (!(await db.write((trx) => queries.renamePasskey(trx, viewer.id, id, name))))
        refuse('PASSKEY_NOT_FOUND');
    },
    /** Deletes one of the viewer's passkeys. Refuses with PASSWORD_WRONG, CODE_WRONG. */
    async remove(viewer: Viewer, { id, ...proof }: Proof & { id: string }, from: Place) {
      await auth.confirmChange(viewer, proof, from);
      await db.write(async (trx) => {
        await queries.deletePasskeys(trx, viewer.id, id);
        await notifyChange(trx, viewer.id, 'passkey-removed');
      });
    },
    /** Deletes the user's passkeys inside `trx`; returns their names. */
    async removeAll(trx: Trx, userId: string): Promise<string[]> {
      const keys = await queries.listPasskeys(trx, userId);
      await queries.deletePasskeys(trx, userId);
      return keys.map(({ name }) => name);
    },
    /** Returns the challenge for a sign-in; the device knows which accounts it has passkeys for. */
    async ask() {
      const { generateAuthenticationOptions } = await load();
      const asked = { rpID: hostname, challenge: challenges.make(), userVerification: 'required' as const };
      return { ...(await generateAuthenticationOptions(asked)) };
    },
    /**
     * Signs in with an answered challenge, usable once. Refuses with PASSKEY_UNUSABLE, ACCOUNT_BANNED,
     * SSO_ONLY.
     */
    async signin(response: PasskeyAnswer, from: Place): Promise<TokenPair> {
      if (await isSsoOnly?.()) refuse('SSO_ONLY');
      const key = (await queries.findPasskey(db.read, response.id)) ?? refuse('PASSKEY_UNUSABLE');
      const { verifyAuthenticationResponse } = await load();
      let challenge = '';
      const { verified, authenticationInfo } = await unlessUnusable(() =>
        verifyAuthenticationResponse({
          ...expected,
          response: response as unknown as AuthenticationResponseJSON,
          expectedChallenge(sent) {
            challenge = sent;
            return challenges.isGood(sent);
          },
          credential: {
            id: key.id,
            publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
            counter: key.signCount,
          },
        }),
      );
      if (!verified) refuse('PASSKEY_UNUSABLE');
      const session = await db.write(async (trx) => {
        const isFirst = await auth.tickets.markUsed(trx, challenge);
        // Removed or used elsewhere during verification.
        const stored = await queries.findPasskey(trx, key.id);
        if (!isFirst || stored?.signCount !== key.signCount) return refuse('PASSKEY_UNUSABLE');
        const used = { signCount: authenticationInfo.newCounter, lastUsed: now() };
        await queries.touchPasskey(trx, key.id, used);
        return auth.begin(trx, key.userId, from);
      });
      return auth.pairOf(session);
    },
  };
}

/** Refuses with PASSKEY_UNUSABLE when the library throws, which it does for any invalid response. */
async function unlessUnusable<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    return refuse('PASSKEY_UNUSABLE');
  }
}

const transportsOf = (json: string) =>
  JSON.parse(json) as NonNullable<RegistrationResponseJSON['response']['transports']>;
