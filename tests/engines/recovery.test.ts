import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINE } from '../engine.ts';
import { account, HOME, ORIGIN } from './accounts.ts';
import { NEW_PASSWORD, openSafety, PASSWORD, type SafetyStage } from './safety-stage.ts';
import { DAY_S } from '../../src/lib/contract/rules/units.ts';

const EMAIL = 'Alice@example.com';

describe(`account recovery on ${ENGINE}`, () => {
  let stage: SafetyStage;
  beforeEach(async () => {
    stage = await openSafety();
  });
  afterEach(() => stage.close());

  /** Secret of the link in the latest mail. */
  const secretSent = () => /#([\w-]+)/.exec(stage.mails.at(-1)?.text ?? '')?.[1] ?? '';
  const giveEmail = async (name = 'alice', email = EMAIL) => {
    const viewer = await stage.signup(name);
    await stage.recovery.setEmail(viewer, { email, password: PASSWORD }, HOME);
    await stage.recovery.verifyEmail(secretSent());
    return viewer;
  };
  const forgot = async (name: string) => {
    const before = stage.mails.length;
    await stage.recovery.forgot(name, HOME);
    await stage.recovery.settled();
    return stage.mails.slice(before);
  };
  const reset = (token: string) => stage.recovery.reset({ token, new_password: NEW_PASSWORD }, HOME);
  const rescue = (dropsSecondFactor = false) =>
    stage.recovery.rescue('ALICE', { dropsSecondFactor }, async () => {});
  const tokenOf = ({ link }: { link: string }) => link.split('#')[1] ?? '';

  describe('an address', () => {
    test('is verified by opening the link sent there, which works once, for a day', async () => {
      const viewer = await stage.signup();
      await stage.recovery.setEmail(viewer, { email: EMAIL, password: PASSWORD }, HOME);
      expect(stage.mails).toMatchObject([{ to: EMAIL, subject: '确认你在「墨页」的邮箱' }]);
      expect(stage.mails[0]?.text).toContain(`${ORIGIN}/verify#`);
      expect(await stage.recovery.emailOf(viewer.id)).toBeNull();
      const secret = secretSent();
      expect(await stage.recovery.verifyEmail(secret)).toEqual({ email: EMAIL });
      expect(await stage.recovery.emailOf(viewer.id)).toBe(EMAIL);
      await expect(stage.recovery.verifyEmail(secret)).rejects.toMatchObject({ code: 'LINK_OVER' });
      await stage.recovery.setEmail(viewer, { email: 'b@example.com', password: PASSWORD }, HOME);
      stage.pass(DAY_S);
      await expect(stage.recovery.verifyEmail(secretSent())).rejects.toMatchObject({ code: 'LINK_OVER' });
    });

    test('is not stored in clear text in the outbox, nor is its link', async () => {
      const viewer = await stage.signup();
      await stage.recovery.setEmail(viewer, { email: EMAIL, password: PASSWORD }, HOME);
      const rows = await stage.db.read.selectFrom('account_tickets').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(secretSent());
    });

    test('of another account cannot be taken with access to its mail only', async () => {
      await giveEmail();
      const bob = await stage.signup('bob');
      await stage.recovery.setEmail(bob, { email: EMAIL.toUpperCase(), password: PASSWORD }, HOME);
      await expect(stage.recovery.verifyEmail(secretSent())).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
      expect(await stage.recovery.emailOf(bob.id)).toBeNull();
    });

    test('requires the password, a site that sends mail, and at most five mails a day', async () => {
      const viewer = await stage.signup();
      const set = (password: string) => stage.recovery.setEmail(viewer, { email: EMAIL, password }, HOME);
      await expect(set('wrong password')).rejects.toMatchObject({ code: 'PASSWORD_WRONG' });
      for (let mails = 0; mails < 5; mails++) await set(PASSWORD);
      await expect(set(PASSWORD)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      expect(stage.mails).toHaveLength(5);
      await stage.close();
      stage = await openSafety({ hasMail: false });
      const other = await stage.signup();
      await expect(
        stage.recovery.setEmail(other, { email: EMAIL, password: PASSWORD }, HOME),
      ).rejects.toMatchObject({ code: 'MAIL_OFF' });
    });

    test('is removed with the password, and links mailed there stop working', async () => {
      const viewer = await giveEmail();
      await forgot('alice');
      const secret = secretSent();
      await expect(stage.recovery.removeEmail(viewer, { password: 'wrong' }, HOME)).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
      });
      await stage.recovery.removeEmail(viewer, { password: PASSWORD }, HOME);
      expect(await stage.recovery.emailOf(viewer.id)).toBeNull();
      await expect(reset(secret)).rejects.toMatchObject({ code: 'LINK_OVER' });
    });
  });

  describe('a forgotten password', () => {
    test('is reset by a link to the verified address, by name or address, and ends every sign-in', async () => {
      const viewer = await giveEmail();
      const phone = await stage.signin();
      for (const name of [' aLiCe ', 'ALICE@example.com']) {
        const [mail] = await forgot(name);
        expect(mail).toMatchObject({ to: EMAIL, subject: '重设你在「墨页」的密码' });
      }
      const secret = secretSent();
      await reset(secret);
      expect(await stage.auth.verifyPassword('alice', NEW_PASSWORD)).toBe(true);
      expect(await stage.findViewer(phone)).toBeNull();
      expect(await stage.safety.devices(viewer)).toEqual([]);
      await expect(reset(secret)).rejects.toMatchObject({ code: 'LINK_OVER' });
    });

    test('gets the same response for unknown names, accounts without an address, and sites without mail', async () => {
      await stage.signup('bob');
      expect(await forgot('nobody')).toEqual([]);
      expect(await forgot('nobody@example.com')).toEqual([]);
      expect(await forgot('bob')).toEqual([]);
      const before = await stage.db.read.selectFrom('account_tickets').selectAll().execute();
      expect(before).toEqual([]);
      await stage.close();
      stage = await openSafety({ hasMail: false });
      expect(await forgot('alice')).toEqual([]);
    });

    test('sends at most five links a day, limited per requester, not per account', async () => {
      await giveEmail();
      for (let mails = 0; mails < 8; mails++) await forgot('alice');
      expect(stage.mails).toHaveLength(1 + 5);
      await stage.close();
      stage = await openSafety({ limits: true });
      for (let asked = 0; asked < 20; asked++) await stage.recovery.forgot(`nobody${asked}`, HOME);
      await expect(stage.recovery.forgot('alice', HOME)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      await stage.recovery.forgot('alice', { address: '198.51.100.1' });
      await stage.recovery.settled();
    });

    test('reset by mail leaves the second step as it is', async () => {
      const viewer = await giveEmail();
      await stage.switchOn(viewer);
      await forgot('alice');
      await reset(secretSent());
      await expect(stage.auth.signin({ ...account('alice', NEW_PASSWORD) }, HOME)).rejects.toMatchObject({
        code: 'SECOND_FACTOR_REQUIRED',
      });
    });
  });

  describe('the operator’s link', () => {
    test('sets a password once, within a day', async () => {
      await stage.signup();
      const made = await rescue();
      expect(made).toMatchObject({
        username: 'alice',
        link: expect.stringContaining(`${ORIGIN}/reset#`) as string,
      });
      await reset(tokenOf(made));
      await expect(reset(tokenOf(made))).rejects.toMatchObject({ code: 'LINK_OVER' });
      const late = await rescue();
      stage.pass(DAY_S);
      await expect(reset(tokenOf(late))).rejects.toMatchObject({ code: 'LINK_OVER' });
      await expect(
        stage.recovery.rescue('nobody', { dropsSecondFactor: false }, async () => {}),
      ).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    });

    test('disables the second step only on request', async () => {
      const viewer = await stage.signup();
      await stage.switchOn(viewer);
      await reset(tokenOf(await rescue()));
      expect((await stage.safety.twoStep(viewer.id)).has_totp).toBe(true);
      await reset(tokenOf(await rescue(true)));
      expect(await stage.safety.twoStep(viewer.id)).toEqual({ has_totp: false, recovery_codes: 0 });
      await stage.auth.signin(account('alice', NEW_PASSWORD), HOME);
    });

    test('of two concurrent uses, one sets the password', async () => {
      await stage.signup();
      const token = tokenOf(await rescue());
      const outcomes = await Promise.allSettled([reset(token), reset(token)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });
  });

  describe('a passkey', () => {
    const answer = (challenge: string) => ({
      id: 'bm8',
      rawId: 'bm8',
      type: 'public-key' as const,
      response: {
        clientDataJSON: Buffer.from(
          JSON.stringify({ type: 'webauthn.get', challenge, origin: ORIGIN }),
        ).toString('base64url'),
        authenticatorData: '',
        signature: '',
      },
      clientExtensionResults: {},
    });

    test('unknown, or with a forged response, is refused with one message', async () => {
      const viewer = await stage.signup();
      const { challenge } = await stage.passkeys.ask();
      await expect(stage.passkeys.signin(answer(challenge), HOME)).rejects.toMatchObject({
        code: 'PASSKEY_UNUSABLE',
      });
      await stage.db.write(async (trx) => {
        const row = {
          id: 'bm8',
          user_id: viewer.id,
          name: '',
          public_key: 'bm8',
          sign_count: 0,
          transports: '[]',
        };
        await trx
          .insertInto('passkeys')
          .values({ ...row, create_time: 1, last_used: 1 })
          .execute();
      });
      for (const each of [challenge, 'bm90IG91cnM'])
        await expect(stage.passkeys.signin(answer(each), HOME)).rejects.toMatchObject({
          code: 'PASSKEY_UNUSABLE',
        });
      const { ticket } = await stage.passkeys.begin(viewer, { password: PASSWORD }, HOME);
      await expect(
        stage.passkeys.add(viewer, { ticket, name: '手机', response: answer(challenge) }),
      ).rejects.toMatchObject({ code: 'PASSKEY_UNUSABLE' });
      const bob = await stage.signup('bob');
      await expect(
        stage.passkeys.add(bob, { ticket, name: '手机', response: answer(challenge) }),
      ).rejects.toMatchObject({ code: 'TICKET_OVER' });
    });

    test('is renamed and removed only by its owner', async () => {
      const [alice, bob] = [await stage.signup(), await stage.signup('bob')];
      const row = {
        id: 'key',
        user_id: alice.id,
        name: '手机',
        public_key: '',
        sign_count: 0,
        transports: '[]',
      };
      await stage.db.write(async (trx) => {
        await trx
          .insertInto('passkeys')
          .values({ ...row, create_time: 1, last_used: 1 })
          .execute();
      });
      await expect(stage.passkeys.rename(bob, { id: 'key', name: '我的' })).rejects.toMatchObject({
        code: 'PASSKEY_NOT_FOUND',
      });
      await stage.passkeys.remove(bob, { id: 'key', password: PASSWORD }, HOME);
      await stage.passkeys.rename(alice, { id: 'key', name: '平板' });
      expect(await stage.passkeys.list(alice.id)).toMatchObject([{ id: 'key', name: '平板' }]);
      await expect(
        stage.passkeys.remove(alice, { id: 'key', password: 'wrong' }, HOME),
      ).rejects.toMatchObject({ code: 'PASSWORD_WRONG' });
      await stage.passkeys.remove(alice, { id: 'key', password: PASSWORD }, HOME);
      expect(await stage.passkeys.list(alice.id)).toEqual([]);
    });
  });
});
