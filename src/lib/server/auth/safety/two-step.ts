import { Secret, TOTP } from 'otpauth';
import type { TotpSetup } from '../../../contract/account-entities.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { newCode, plainCode } from '../../shared/codes.ts';
import { hashOf, seal, unseal } from '../../shared/seal.ts';
import type { AccountParts } from '../account-parts.ts';
import type { NotifyChange } from './change-mails.ts';
import type { Tickets } from './tickets.ts';
import { deriveKey } from '../tokens.ts';
import * as queries from './safety-queries.ts';

/** RFC 6238 with the parameters every app supports: SHA-1, six digits, a new code each 30 s. */
const CODE = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const STEP_MS = CODE.period * 1000;
/** 160 bits, as RFC 4226 advises. */
const SECRET_BYTES = 20;
/** Steps accepted before and after the current one: clocks differ, and typing takes time. */
const WINDOW_STEPS = 1;
const RECOVERY_CODES = 10;
/** 78 bits, too many to find by their hash. */
const RECOVERY_CODE_CHARACTERS = 16;

/**
 * Two-step verification: an app's code in addition to the password, or one of ten recovery codes, each usable
 * once.
 */
export function createTwoStep(
  parts: Pick<AccountParts, 'db' | 'secret' | 'site' | 'now'> & {
    tickets: Tickets;
    notifyChange: NotifyChange;
  },
) {
  const { db, tickets, site, notifyChange, now } = parts;
  const key = deriveKey(parts.secret, 'two-step secrets');
  const totpOf = (base32: string, label = '') =>
    new TOTP({ ...CODE, issuer: site.title, label, secret: Secret.fromBase32(base32) });
  const stepOf = (base32: string, code: string): number | null => {
    const timestamp = now();
    const delta = totpOf(base32).validate({ token: code, timestamp, window: WINDOW_STEPS });
    return delta === null ? null : Math.floor(timestamp / STEP_MS) + delta;
  };
  const renew = async (trx: Trx, userId: string): Promise<string[]> => {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await queries.replaceCodes(
      trx,
      userId,
      codes.map((code) => hashOf(plainCode(code))),
    );
    return codes;
  };

  return {
    isOn: async (on: Queryable, userId: string): Promise<boolean> =>
      (await queries.findTotp(on, userId)) !== null,
    async state(userId: string) {
      const has_totp = (await queries.findTotp(db.read, userId)) !== null;
      return { has_totp, recovery_codes: has_totp ? await queries.countCodes(db.read, userId) : 0 };
    },
    /** Creates a secret for the user's app, inactive until `confirm`. Refuses with TOTP_ON. */
    begin: ({ id, username }: { id: string; username: string }): Promise<TotpSetup> =>
      db.write(async (trx) => {
        if (await queries.findTotp(trx, id)) refuse('TOTP_ON');
        const secret = new Secret({ size: SECRET_BYTES }).base32;
        await tickets.drop(trx, id, 'totp');
        const ticket = await tickets.issue(trx, 'totp', { userId: id, payload: seal(key, id, secret) });
        return { ticket, secret, uri: totpOf(secret, username).toString() };
      }),
    /**
     * Enables it with the app's first code inside `trx`; returns recovery codes, or null for a wrong code.
     * Refuses with TICKET_OVER, TOTP_ON.
     */
    async confirm(trx: Trx, userId: string, given: { ticket: string; code: string }) {
      const ticket = await tickets.find(trx, 'totp', given.ticket);
      const secret = ticket?.userId === userId ? unseal(key, userId, ticket.payload) : null;
      if (secret === null) return refuse('TICKET_OVER');
      if (await queries.findTotp(trx, userId)) return refuse('TOTP_ON');
      const lastStep = stepOf(secret, plainCode(given.code));
      if (lastStep === null) return null;
      await tickets.drop(trx, userId, 'totp');
      await queries.insertTotp(trx, userId, { secret: seal(key, userId, secret), lastStep, instant: now() });
      return renew(trx, userId);
    },
    /**
     * Consumes a recovery code, which is mailed, or an app code later than the last one; returns whether
     * `code` was valid.
     */
    async take(trx: Trx, userId: string, code: string): Promise<boolean> {
      const totp = await queries.findTotp(trx, userId);
      if (!totp) return false;
      const given = plainCode(code);
      if (given.length === RECOVERY_CODE_CHARACTERS) {
        if (!(await queries.takeCode(trx, userId, hashOf(given)))) return false;
        const details = [`还剩 ${await queries.countCodes(trx, userId)} 个恢复码`];
        await notifyChange(trx, userId, 'recovery-code-used', { details });
        return true;
      }
      // Sealed with another TOKEN_SECRET: only recovery codes and `moye user rescue` still work.
      const secret = unseal(key, userId, totp.secret);
      const step = secret === null ? null : stepOf(secret, given);
      return step !== null && (await queries.takeStep(trx, userId, step));
    },
    remove: (trx: Trx, userId: string): Promise<boolean> => queries.deleteTotp(trx, userId),
    /** Replaces the recovery codes inside `trx`. Refuses with TOTP_OFF. */
    renew: async (trx: Trx, userId: string): Promise<string[]> =>
      (await queries.findTotp(trx, userId)) ? renew(trx, userId) : refuse('TOTP_OFF'),
  };
}

const newRecoveryCode = (): string => newCode(RECOVERY_CODE_CHARACTERS).replaceAll(/(.{4})(?=.)/g, '$1-');
