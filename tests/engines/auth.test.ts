import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TokenPair } from '../../src/lib/contract/entities.ts';
import { ENGINE } from '../engine.ts';
import { account, ACCESS_TTL_S, HOME, openAccounts, type AccountStage } from './accounts.ts';

const WRONG = '不是这个密码，也不是那个';

describe(`accounts on ${ENGINE}`, () => {
  let stage: AccountStage;
  beforeEach(async () => {
    stage = await openAccounts();
  });
  afterEach(() => stage.close());

  const viewerOf = async (pair: TokenPair) => (await stage.auth.viewerOf(`Beare ${pair.token}`)).viewer;
  const countRows = async (table: 'users' | 'signins') =>
    (await stage.db.read.selectFrom(table).selectAll().execute()).length;
  const storedHash = async () =>
    (await stage.db.read.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()).password_hash;

  describe('signing up', () => {
    test('signs in at once, counts the user and keeps the password as argon2id only', async () => {
      const pair = await stage.auth.signup(account('墨客'), HOME);
      expect(await viewerOf(pair)).toMatchObject({ username: '墨客' });
      expect(await stage.users.statistics()).toEqual({ userNum: 1, pageNum: 0 });
      expect(await storedHash()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    test('a name differing only in case or width is taken, and nothing is counted twice', async () => {
      await stage.auth.signup(account('Alice'), HOME);
      for (const name of ['Alice', 'aLICE', 'Ａｌｉｃｅ']) {
        await expect(stage.auth.signup(account(name), HOME)).rejects.toMatchObject({
          code: 'USERNAME_TAKEN',
        });
      }
      expect((await stage.users.statistics()).userNum).toBe(1);
      expect(await countRows('signins')).toBe(1);
    });

    test('exactly one of several concurrent sign-ups gets a name', async () => {
      const outcomes = await Promise.allSettled(
        ['bob', 'Bob', 'BOB', 'ｂｏｂ'].map((name) => stage.auth.signup(account(name), HOME)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'USERNAME_TAKEN' });
      }
      expect([await countRows('users'), (await stage.users.statistics()).userNum]).toEqual([1, 1]);
    });

    test('the operator can add a user without a sign-in', async () => {
      const id = await stage.auth.addUser(account('值守'));
      expect(await stage.users.find('值守')).toMatchObject({ _id: id });
      expect(await countRows('signins')).toBe(0);
      await expect(stage.auth.addUser(account('值守'))).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    });
  });

  describe('a new password', () => {
    const refused = { code: 'FIELD_INVALID', message: '这个密码太容易被猜到，请换一个' };

    test.each([
      '12345678',
      '１２３４５６７８',
      'PASSWORD',
      '88888888',
      '87654321',
      '1qaz2wsx',
      'linjian1',
      '墨页墨页墨页',
    ])('is refused if attackers try it first: %s', async (password) => {
      const outcome = stage.auth.signup(account('linjian1', password), HOME);
      await expect(outcome).rejects.toMatchObject({ ...refused, field: 'password' });
      await expect(stage.auth.addUser(account('linjian1', password))).rejects.toMatchObject(refused);
      expect(await countRows('users')).toBe(0);
    });

    test.each(['correct horse', 'Passw0rd!', '春眠不觉晓处处闻啼鸟', 'tr4v3l mug', '19540928abc'])(
      'is accepted if it is merely weak, or better: %s',
      async (password) => {
        await stage.auth.signup(account('linjian', password), HOME);
        expect(await countRows('users')).toBe(1);
      },
    );

    test('follows the same rule when it replaces another, and old common ones still sign in', async () => {
      const sha1 = `sha1$${createHash('sha1').update('12345678').digest('hex')}`;
      await stage.auth.signup(account('alice'), HOME);
      await stage.db.write(async (trx) => {
        await trx.updateTable('users').set({ password_hash: sha1 }).execute();
      });
      const viewer = await viewerOf(
        await stage.auth.signin({ username: 'alice', password: '12345678' }, HOME),
      );
      if (!viewer) throw new Error('nobody is signed in');
      const hash = await storedHash();
      await expect(stage.auth.setPassword('alice', '87654321')).rejects.toMatchObject(refused);
      for (const by of [viewer, HOME])
        await expect(stage.auth.hashNew('87654321', by)).rejects.toMatchObject({
          ...refused,
          field: 'new_password',
        });
      expect(await storedHash()).toBe(hash);
    });
  });

  describe('signing in', () => {
    test('works with the name in any case and the password typed full-width', async () => {
      await stage.auth.signup(account('Alice', 'Passw0rd!'), HOME);
      const pair = await stage.auth.signin({ username: ' ALICE ', password: 'Ｐａｓｓｗ０ｒｄ！' }, HOME);
      expect(await viewerOf(pair)).toMatchObject({ username: 'Alice' });
    });

    test('an unknown name, a wrong and an over-long password get the same refusal', async () => {
      await stage.auth.signup(account('alice'), HOME);
      const refusals = await Promise.all(
        [
          { username: 'nobody', password: WRONG },
          { username: 'alice', password: WRONG },
          { username: 'alice', password: 'x'.repeat(1000) },
          { username: '', password: '' },
        ].map((credentials) => stage.auth.signin(credentials, HOME).catch((error: unknown) => error)),
      );
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ code: 'SIGNIN_FAILED', message: '用户名或密码错误' });
      }
    });

    test('an imported SHA-1 password works and is replaced by argon2id, also when used twice at once', async () => {
      const password = 'old password';
      await stage.auth.addUser(account('老用户'));
      const imported = `sha1$${createHash('sha1').update(password).digest('hex')}`;
      await stage.db.write(async (trx) => {
        await trx.updateTable('users').set({ password_hash: imported }).execute();
      });
      const credentials = { username: '老用户', password };
      await expect(stage.auth.signin({ ...credentials, password: WRONG }, HOME)).rejects.toMatchObject({
        code: 'SIGNIN_FAILED',
      });
      expect(await storedHash()).toBe(imported);
      await Promise.all([stage.auth.signin(credentials, HOME), stage.auth.signin(credentials, HOME)]);
      expect(await storedHash()).toMatch(/^\$argon2id\$/);
      await stage.auth.signin(credentials, HOME);
      expect(await countRows('signins')).toBe(3);
    });

    test('a new password ends every sign-in of that user only', async () => {
      const alice = [
        await stage.auth.signup(account('alice'), HOME),
        await stage.auth.signin(account('alice'), HOME),
      ];
      const bob = await stage.auth.signup(account('bob'), HOME);
      await stage.auth.setPassword('ALICE', 'another password');
      for (const pair of alice) {
        expect(await viewerOf(pair)).toBeNull();
        await expect(stage.auth.refresh(pair.refresh_token)).rejects.toMatchObject({
          code: 'SIGNIN_REQUIRED',
        });
      }
      expect(await viewerOf(bob)).toMatchObject({ username: 'bob' });
      expect(stage.events.filter(({ type }) => type === 'signed-out')).toHaveLength(2);
      expect(await stage.auth.verifyPassword('alice', 'another password')).toBe(true);
      expect(await stage.auth.verifyPassword('alice', account('alice').password)).toBe(false);
      await expect(stage.auth.setPassword('nobody', 'x')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    });
  });

  describe('the bearer of a token', () => {
    test('is recognised with either spelling of the scheme, in any case and spacing, or without it', async () => {
      const { token } = await stage.auth.signup(account('alice'), HOME);
      for (const value of [
        `Beare ${token}`,
        `Bearer ${token}`,
        `beare   ${token} `,
        `BEARER\t${token}`,
        token,
      ]) {
        expect((await stage.auth.viewerOf(value)).viewer).toMatchObject({ username: 'alice' });
      }
    });

    test('is a visitor when the header is missing or unusable', async () => {
      const pair = await stage.auth.signup(account('alice'), HOME);
      const values = [
        undefined,
        '',
        'Beare',
        'Beare undefined',
        'Beare null',
        'Basic YTpi',
        `Basic ${pair.token}`,
      ];
      for (const value of [...values, `Beare ${pair.refresh_token}`, `Beare ${pair.token}x`, 'Beare a b']) {
        expect(await stage.auth.viewerOf(value)).toEqual({ viewer: null, expired: false, signinId: null });
      }
    });

    test('is informed that the token has expired, and can still sign out', async () => {
      const pair = await stage.auth.signup(account('alice'), HOME);
      stage.pass(ACCESS_TTL_S - 1);
      expect(await viewerOf(pair)).not.toBeNull();
      stage.pass(1);
      const caller = await stage.auth.viewerOf(pair.token);
      expect(caller).toMatchObject({ viewer: null, expired: true });
      await stage.auth.signout(caller);
      await expect(stage.auth.refresh(pair.refresh_token)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    });

    test('is a visitor once signed out, while another sign-in of the same user stays', async () => {
      const phone = await stage.auth.signup(account('alice'), HOME);
      const desk = await stage.auth.signin(account('alice'), HOME);
      const viewer = await viewerOf(phone);
      await stage.auth.signout(viewer);
      await stage.auth.signout(viewer);
      await stage.auth.signout(null);
      expect(await viewerOf(phone)).toBeNull();
      expect(await viewerOf(desk)).not.toBeNull();
      await expect(stage.auth.refresh(phone.refresh_token)).rejects.toMatchObject({
        code: 'SIGNIN_REQUIRED',
      });
      expect(stage.events).toEqual([{ type: 'signed-out', signinId: viewer?.signinId }]);
    });
  });

  describe('guessing', () => {
    beforeEach(async () => {
      await stage.close();
      stage = await openAccounts({ limits: true });
    });

    test('after ten wrong passwords even the right one must wait, from that address only', async () => {
      await stage.auth.addUser(account('alice'));
      const guesses = await Promise.allSettled(
        Array.from({ length: 14 }, () => stage.auth.signin({ username: 'Alice', password: WRONG }, HOME)),
      );
      const codes = guesses.map((guess) =>
        guess.status === 'rejected' ? (guess.reason as { code: string }).code : 'OK',
      );
      expect(codes.filter((code) => code === 'SIGNIN_FAILED')).toHaveLength(10);
      expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(4);
      await expect(stage.auth.signin(account('alice'), HOME)).rejects.toMatchObject({
        code: 'TOO_MANY_REQUESTS',
        status: 429,
        retryAfter: expect.any(Number) as number,
      });
      expect(
        await viewerOf(await stage.auth.signin(account('alice'), { address: '198.51.100.1' })),
      ).not.toBeNull();
    });
  });
});
