import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clean } from '../clean-texts.ts';
import { keepName } from '../../src/lib/server/users/former-queries.ts';
import { fillSkeletons, updateUser } from '../../src/lib/server/users/user-queries.ts';
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

  test('that differ only in the script and exist already stay; former and display names count as well', async () => {
    const [own, other] = [
      await stage.auth.addUser(account('陳曉')),
      await stage.auth.addUser(account('王维')),
    ];
    await stage.db.write(async (trx) => {
      await keepName(trx, { id: own, username: '趙雲' });
      await updateUser(trx, other, { display_name: clean('摩詰居士') });
      const old = { skeleton_hash: 'old', written_hash: 'old' };
      await trx.updateTable('former_names').set(old).where('user_id', '=', own).execute();
      await trx.updateTable('users').set({ display_skeleton: '', written_display_skeleton: '' }).execute();
    });
    await forgetSkeletons();
    await stage.auth.addUser(account('陈晓'));
    await forgetSkeletons();
    await Promise.all([fillSkeletons(stage.db), fillSkeletons(stage.db)]);
    for (const name of ['陳曉', '陈晓']) {
      expect(await stage.auth.signin(account(name), HOME)).toHaveProperty('token');
      expect(await stage.users.find(name)).toMatchObject({ username: name });
    }
    for (const name of ['陳晓', '摩诘居士'])
      await expect(stage.auth.addUser(account(name))).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    await expect(stage.users.requireAllowed('赵云')).rejects.toMatchObject({ code: 'USERNAME_RESERVED' });
    await expect(stage.users.requireAllowed('赵云', { id: own })).resolves.toBeUndefined();
  });

  test('an existing name of combining marks only can sign in', async () => {
    const marks = '\u0301\u0302';
    await stage.auth.addUser(account(marks));
    expect(await stage.auth.signin(account(marks), HOME)).toHaveProperty('token');
  });
});
