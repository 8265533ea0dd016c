import { TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TokenPair } from '../../src/lib/contract/entities.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { ENGINE } from '../engine.ts';
import { account, HOME, openAccounts, REFRESH_TTL_S, type AccountStage } from './accounts.ts';

const { password: PASSWORD } = account('alice');
const NEW_PASSWORD = 'another password';
const DAY_S = 24 * 3600;

describe(`what keeps an account its owner’s, on ${ENGINE}`, () => {
  let stage: AccountStage;
  beforeEach(async () => {
    stage = await openAccounts();
  });
  afterEach(() => stage.close());

  const findViewer = async (pair: TokenPair) => (await stage.auth.viewerOf(`Beare ${pair.token}`)).viewer;
  const viewerOf = async (pair: TokenPair): Promise<Viewer> => {
    const viewer = await findViewer(pair);
    if (!viewer) throw new Error('nobody is signed in');
    return viewer;
  };
  const signup = async (name = 'alice', from = {}) =>
    viewerOf(await stage.auth.signup(account(name), { ...HOME, ...from }));
  const signin = (from = {}) => stage.auth.signin(account('alice'), { ...HOME, ...from });
  const codeOf = (uri: string) => {
    const totp = new TOTP(totpParts(uri));
    return totp.generate({ timestamp: stage.now() });
  };
  /** Switches two-step verification on; returns what the app has, and the recovery codes. */
  const switchOn = async (viewer: Viewer) => {
    const { ticket, uri } = await stage.auth.beginTotp(viewer, PASSWORD, HOME);
    const { codes } = await stage.auth.confirmTotp(viewer, { ticket, code: codeOf(uri) }, HOME);
    // The code just used is not taken again.
    stage.pass(60);
    return { uri, codes };
  };
  const ticketOf = async (from = {}): Promise<string> => {
    const refusal = await signin(from).then(
      () => undefined,
      (error: unknown) => error as { code: string; ticket: string },
    );
    expect(refusal).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
    return refusal?.ticket ?? '';
  };

  describe('a sign-in', () => {
    test('ends 180 days after it began, however often it is renewed', async () => {
      let pair = await stage.auth.signup(account('alice'), HOME);
      for (let days = 25; days < 180; days += 25) {
        stage.pass(25 * DAY_S);
        pair = await stage.auth.refresh(pair.refresh_token);
      }
      stage.pass(4 * DAY_S);
      pair = await stage.auth.refresh(pair.refresh_token);
      stage.pass(DAY_S - 1);
      pair = await stage.auth.refresh(pair.refresh_token);
      expect(await findViewer(pair)).toMatchObject({ username: 'alice' });
      stage.pass(1);
      expect(await findViewer(pair)).toBeNull();
      await expect(stage.auth.refresh(pair.refresh_token)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    });

    test('is listed by its device, with the hour of its last use', async () => {
      const pair = await stage.auth.signup(account('alice'), { ...HOME, client: 'Windows 上的 Chrome' });
      stage.pass(600);
      const phone = await viewerOf(await signin({ client: 'iPhone 上的 Safari' }));
      expect(await stage.auth.devices(phone)).toMatchObject([
        { name: 'iPhone 上的 Safari', is_current: true },
        { name: 'Windows 上的 Chrome', is_current: false },
      ]);
      const usedAt = async () =>
        (await stage.auth.devices(phone)).find(({ is_current }) => !is_current)?.last_used;
      const began = await usedAt();
      const renewed = await stage.auth.refresh(pair.refresh_token);
      expect(await usedAt()).toBe(began);
      stage.pass(3600);
      await stage.auth.refresh(renewed.refresh_token);
      expect(await usedAt()).toBe(new Date(stage.now()).toISOString());
    });

    test('that is over is not listed', async () => {
      await stage.auth.signup(account('alice'), HOME);
      stage.pass(REFRESH_TTL_S);
      expect(await stage.auth.devices(await viewerOf(await signin()))).toHaveLength(1);
    });

    test('can be ended by its owner from another one, and by nobody else', async () => {
      const [desk, bob] = [await signup(), await signup('bob')];
      const phone = await signin();
      const { signinId } = await viewerOf(phone);
      await stage.auth.endDevice(bob, signinId);
      expect(await findViewer(phone)).not.toBeNull();
      await stage.auth.endDevice(desk, signinId);
      expect(await findViewer(phone)).toBeNull();
      expect(stage.events).toEqual([{ type: 'signed-out', signinId }]);
      await stage.auth.endDevice(desk, signinId);
    });

    test('can end all others of its owner', async () => {
      const [desk, bob] = [await signup(), await signup('bob')];
      const others = [await signin(), await signin()];
      expect(await stage.auth.endOtherDevices(desk)).toBe(2);
      for (const pair of others) expect(await findViewer(pair)).toBeNull();
      expect(await stage.auth.devices(desk)).toHaveLength(1);
      expect(await stage.auth.devices(bob)).toHaveLength(1);
    });
  });

  describe('a password', () => {
    const change = (viewer: Viewer, password: string) =>
      stage.auth.changePassword(viewer, { password, new_password: NEW_PASSWORD }, HOME);

    test('is changed by whoever knows it: other sign-ins end, this one stays', async () => {
      const desk = await signup();
      const phone = await signin();
      await change(desk, PASSWORD);
      expect(await findViewer(phone)).toBeNull();
      expect(await stage.auth.devices(desk)).toHaveLength(1);
      expect(await stage.auth.verifyPassword('alice', NEW_PASSWORD)).toBe(true);
      expect(await stage.auth.verifyPassword('alice', PASSWORD)).toBe(false);
    });

    test('is not changed by whoever does not', async () => {
      const desk = await signup();
      const phone = await signin();
      await expect(change(desk, 'wrong password')).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
        field: 'password',
      });
      expect(await findViewer(phone)).not.toBeNull();
      expect(await stage.auth.verifyPassword('alice', PASSWORD)).toBe(true);
    });

    test('changed twice at once is changed once', async () => {
      const desk = await signup();
      const outcomes = await Promise.allSettled([change(desk, PASSWORD), change(desk, PASSWORD)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('cannot be guessed at by whoever has got hold of a sign-in, nor does that keep its owner out', async () => {
      await stage.close();
      stage = await openAccounts({ limits: true });
      const desk = await signup();
      for (let guess = 0; guess < 10; guess++)
        await expect(change(desk, `guess ${guess}`)).rejects.toMatchObject({ code: 'PASSWORD_WRONG' });
      await expect(change(desk, PASSWORD)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      await change(await viewerOf(await signin()), PASSWORD);
    });
  });

  describe('two-step verification', () => {
    test('is in force once the app has shown a code, and ends the other sign-ins', async () => {
      const desk = await signup();
      const phone = await signin();
      const { ticket, uri, secret } = await stage.auth.beginTotp(desk, PASSWORD, HOME);
      expect(uri).toContain(`secret=${secret}`);
      expect(decodeURIComponent(uri)).toContain('墨页:alice');
      await expect(stage.auth.confirmTotp(desk, { ticket, code: '000000' }, HOME)).rejects.toMatchObject({
        code: 'CODE_WRONG',
        field: 'code',
      });
      await signin();
      expect(await stage.auth.safety(desk)).toEqual({ has_totp: false, recovery_codes: 0 });
      const { codes } = await stage.auth.confirmTotp(desk, { ticket, code: codeOf(uri) }, HOME);
      expect(new Set(codes).size).toBe(10);
      expect(await stage.auth.safety(desk)).toEqual({ has_totp: true, recovery_codes: 10 });
      expect(await findViewer(phone)).toBeNull();
      expect(await stage.auth.devices(desk)).toHaveLength(1);
    });

    test('asks for the password, and for a code of the secret that was shown to this user', async () => {
      const [alice, bob] = [await signup(), await signup('bob')];
      await expect(stage.auth.beginTotp(alice, 'wrong password', HOME)).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
      });
      const { ticket, uri } = await stage.auth.beginTotp(alice, PASSWORD, HOME);
      for (const given of [ticket, 'no such ticket'])
        await expect(
          stage.auth.confirmTotp(bob, { ticket: given, code: codeOf(uri) }, HOME),
        ).rejects.toMatchObject({ code: 'TICKET_OVER' });
      stage.pass(1800);
      await expect(stage.auth.confirmTotp(alice, { ticket, code: codeOf(uri) }, HOME)).rejects.toMatchObject({
        code: 'TICKET_OVER',
      });
    });

    test('the password alone then leads to a ticket, and ticket and code to a sign-in', async () => {
      const { uri } = await switchOn(await signup());
      const ticket = await ticketOf();
      const pair = await stage.auth.finishSignin({ ticket, code: codeOf(uri) }, HOME);
      expect(await viewerOf(pair)).toMatchObject({ username: 'alice' });
      stage.pass(60);
      // A ticket signs in once.
      await expect(stage.auth.finishSignin({ ticket, code: codeOf(uri) }, HOME)).rejects.toMatchObject({
        code: 'TICKET_OVER',
      });
    });

    test('takes no code twice, none of an earlier step after a later one, and none of two minutes ago', async () => {
      const { uri } = await switchOn(await signup());
      const older = codeOf(uri);
      stage.pass(30);
      const code = codeOf(uri);
      await stage.auth.finishSignin({ ticket: await ticketOf(), code }, HOME);
      const ticket = await ticketOf();
      for (const each of [code, older])
        await expect(stage.auth.finishSignin({ ticket, code: each }, HOME)).rejects.toMatchObject({
          code: 'CODE_WRONG',
        });
      const stale = codeOf(uri);
      stage.pass(120);
      await expect(stage.auth.finishSignin({ ticket, code: stale }, HOME)).rejects.toMatchObject({
        code: 'CODE_WRONG',
      });
      // What was wrong does not use the ticket up.
      await stage.auth.finishSignin({ ticket, code: codeOf(uri) }, HOME);
    });

    test('of two who send one code at the same moment, one gets in', async () => {
      const { uri } = await switchOn(await signup());
      const [one, other] = [await ticketOf(), await ticketOf()];
      const code = codeOf(uri);
      const outcomes = await Promise.allSettled(
        [one, other].map((ticket) => stage.auth.finishSignin({ ticket, code }, HOME)),
      );
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('a recovery code works once, however it is typed; new ones void the old', async () => {
      const desk = await signup();
      const { codes } = await switchOn(desk);
      const [first = '', second = ''] = codes;
      const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `;
      await stage.auth.finishSignin({ ticket: await ticketOf(), code: typed }, HOME);
      expect(await stage.auth.safety(desk)).toEqual({ has_totp: true, recovery_codes: 9 });
      const ticket = await ticketOf();
      await expect(stage.auth.finishSignin({ ticket, code: first }, HOME)).rejects.toMatchObject({
        code: 'CODE_WRONG',
      });
      const renewed = await stage.auth.renewRecovery(desk, PASSWORD, HOME);
      await expect(stage.auth.finishSignin({ ticket, code: second }, HOME)).rejects.toMatchObject({
        code: 'CODE_WRONG',
      });
      await stage.auth.finishSignin({ ticket, code: renewed.codes[0] ?? '' }, HOME);
    });

    test('stores neither secret nor codes as they are', async () => {
      const { uri, codes } = await switchOn(await signup());
      const totps = await stage.db.read.selectFrom('user_totps').selectAll().execute();
      const rows = await stage.db.read.selectFrom('recovery_codes').selectAll().execute();
      const stored = JSON.stringify([totps, rows]);
      for (const text of [totpParts(uri).secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
        expect(stored).not.toContain(text);
    });

    test('a ticket ends after ten minutes, and with the password it was given for', async () => {
      const desk = await signup();
      const { uri } = await switchOn(desk);
      const ended = await ticketOf();
      stage.pass(600);
      await expect(stage.auth.finishSignin({ ticket: ended, code: codeOf(uri) }, HOME)).rejects.toMatchObject({
        code: 'TICKET_OVER',
      });
      const voided = await ticketOf();
      await stage.auth.changePassword(desk, { password: PASSWORD, new_password: NEW_PASSWORD }, HOME);
      await expect(
        stage.auth.finishSignin({ ticket: voided, code: codeOf(uri) }, HOME),
      ).rejects.toMatchObject({ code: 'TICKET_OVER' });
    });

    test('is switched off with the password; what was in the app is worth nothing then', async () => {
      const desk = await signup();
      const { codes } = await switchOn(desk);
      await expect(stage.auth.beginTotp(desk, PASSWORD, HOME)).rejects.toMatchObject({ code: 'TOTP_ON' });
      await expect(stage.auth.removeTotp(desk, 'wrong password', HOME)).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
      });
      const ticket = await ticketOf();
      await stage.auth.removeTotp(desk, PASSWORD, HOME);
      await expect(stage.auth.finishSignin({ ticket, code: codes[0] ?? '' }, HOME)).rejects.toMatchObject({
        code: 'CODE_WRONG',
      });
      expect(await stage.db.read.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
      await signin();
      await expect(stage.auth.removeTotp(desk, PASSWORD, HOME)).rejects.toMatchObject({ code: 'TOTP_OFF' });
      await expect(stage.auth.renewRecovery(desk, PASSWORD, HOME)).rejects.toMatchObject({
        code: 'TOTP_OFF',
      });
    });

    test('codes are not guessed at without limits, which the password’s do not share', async () => {
      await stage.close();
      stage = await openAccounts({ limits: true });
      const { uri } = await switchOn(await signup());
      const ticket = await ticketOf();
      const guess = () => stage.auth.finishSignin({ ticket, code: '000000' }, HOME);
      for (let guesses = 0; guesses < 10; guesses++)
        await expect(guess()).rejects.toMatchObject({ code: 'CODE_WRONG' });
      await expect(guess()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      const again = await ticketOf();
      await expect(
        stage.auth.finishSignin({ ticket: again, code: codeOf(uri) }, HOME),
      ).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    });

    test('sealed with a secret that is gone, it still lets recovery codes in', async () => {
      const { codes } = await switchOn(await signup());
      await stage.db.write(async (trx) => {
        await trx.updateTable('user_totps').set({ secret: 'what nobody can open' }).execute();
      });
      const ticket = await ticketOf();
      await expect(stage.auth.finishSignin({ ticket, code: '123456' }, HOME)).rejects.toMatchObject({
        code: 'CODE_WRONG',
      });
      await stage.auth.finishSignin({ ticket, code: codes[0] ?? '' }, HOME);
    });
  });

  test('tickets that are over are forgotten', async () => {
    const desk = await signup();
    await stage.auth.beginTotp(desk, PASSWORD, HOME);
    stage.pass(DAY_S);
    await stage.auth.purgeExpired();
    expect(await stage.db.read.selectFrom('account_tickets').selectAll().execute()).toEqual([]);
  });
});

/** What an app reads of the picture. */
function totpParts(uri: string) {
  const { searchParams } = new URL(uri);
  return {
    secret: searchParams.get('secret') ?? '',
    digits: Number(searchParams.get('digits')),
    period: Number(searchParams.get('period')),
    algorithm: searchParams.get('algorithm') ?? '',
  };
}
