import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillSkeletons } from '../../src/lib/server/users/user-queries.ts';
import { SKELETON_VERSION } from '../../src/lib/server/users/skeletons.ts';
import { ENGINE } from '../engine.ts';
import { account, HOME, openAccounts, type AccountStage } from './accounts.ts';

const SIMILAR = { code: 'USERNAME_TAKEN', message: '该用户名与已有的用户名过于相似，请换一个' };

describe(`names that look alike on ${ENGINE}`, () => {
  let stage: AccountStage;
  beforeEach(async () => {
    stage = await openAccounts();
  });
  afterEach(() => stage.close());

  const users = () => stage.db.read.selectFrom('users').selectAll().orderBy('username').execute();
  /** Resets accounts to the state before names were compared by their appearance. */
  const forgetSkeletons = () =>
    stage.db.write(async (trx) => {
      const none = { skeleton: '', written_skeleton: '', skeleton_version: 0 };
      await trx.updateTable('users').set(none).execute();
    });

  test('count as taken, at sign-up and for the operator', async () => {
    await stage.auth.signup(account('paypal'), HOME);
    for (const name of ['раураl', 'paypaI', 'PAYPA1', 'ｐaypaI', 'paypal\ufe0f']) {
      await expect(stage.auth.signup(account(name), HOME)).rejects.toMatchObject(SIMILAR);
      await expect(stage.auth.addUser(account(name))).rejects.toMatchObject(SIMILAR);
    }
    await expect(stage.auth.signup(account('PayPal'), HOME)).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
      message: '该用户名已被使用',
    });
    expect(await users()).toHaveLength(1);
    expect((await stage.users.statistics()).userNum).toBe(1);
  });

  test('requested concurrently are given to one account', async () => {
    const names = ['modern', 'rnodern', 'modеrn', 'M0DERN'];
    const outcomes = await Promise.allSettled(names.map((name) => stage.auth.addUser(account(name))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(SIMILAR);
    expect(await users()).toHaveLength(1);
  });

  test('do not match each other: a look-alike is unknown, and cannot sign in', async () => {
    await stage.auth.signup(account('paypal'), HOME);
    expect(await stage.users.find('paypaI')).toBeNull();
    await expect(stage.auth.signin(account('paypaI'), HOME)).rejects.toMatchObject({ code: 'SIGNIN_FAILED' });
  });

  test('that exist already stay, sign in, and are reserved once migrated', async () => {
    await stage.auth.addUser(account('alice'));
    await forgetSkeletons();
    await stage.auth.addUser(account('аlice'));
    await forgetSkeletons();
    await Promise.all([fillSkeletons(stage.db), fillSkeletons(stage.db)]);
    expect(
      (await users()).map((user) => [user.skeleton, user.written_skeleton, user.skeleton_version]),
    ).toEqual([
      ['alice', 'alice', SKELETON_VERSION],
      ['alice', 'alice', SKELETON_VERSION],
    ]);
    for (const name of ['alice', 'аlice']) {
      expect(await stage.auth.signin(account(name), HOME)).toHaveProperty('token');
      expect(await stage.users.find(name)).toMatchObject({ username: name });
    }
    await expect(stage.auth.addUser(account('aIice'))).rejects.toMatchObject(SIMILAR);
  });

  test('an existing name of combining marks only can sign in', async () => {
    const marks = '\u0301\u0302';
    await stage.auth.addUser(account(marks));
    expect(await stage.auth.signin(account(marks), HOME)).toHaveProperty('token');
  });
});
