import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newUser } from '../clean-texts.ts';
import { User, UserInfo } from '../../src/lib/contract/entities.ts';
import { ENGINE } from '../engine.ts';
import { account, openAccounts, type AccountStage } from './accounts.ts';

describe(`users on ${ENGINE}`, () => {
  let stage: AccountStage;
  let alice: { id: string; username: string };
  let bob: { id: string; username: string };
  beforeEach(async () => {
    stage = await openAccounts();
    const add = async (username: string, bio: string) => ({
      id: await stage.db.write((trx) => stage.users.add(trx, { ...newUser(username, bio), gender: 'f' })),
      username,
    });
    alice = await add('Alice', '写字的人');
    bob = await add('鲍勃', '');
    await stage.db.write(async (trx) => {
      const numbers = { page_num: 4, secret_num: 2, draft_num: 7 };
      await trx.updateTable('users').set(numbers).where('id', '=', alice.id).execute();
    });
  });
  afterEach(() => stage.close());

  test('a user is found by name in any case and width, with the contract’s fields only', async () => {
    for (const name of ['Alice', 'alice', ' ＡＬＩＣＥ ']) {
      const user = await stage.users.detail(name);
      expect(User.strict().parse(user)).toMatchObject({
        _id: alice.id,
        username: 'Alice',
        gender: 'f',
        bio: '写字的人',
      });
    }
    expect((await stage.users.detail('Alice')).create_time).toBe('2026-01-02T03:04:05.678Z');
  });

  test('an unknown name is not found', async () => {
    for (const name of ['', 'nobody', 'Alic', 'a\0b', '%', "' or 1=1 --", '\ud800']) {
      expect(await stage.users.find(name)).toBeNull();
      await expect(stage.users.detail(name)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    }
  });

  test('only the user sees counts of secret articles, drafts and comments', async () => {
    const own = { page_num: 6, draft_num: 7, comment_num: 3 };
    const others = { page_num: 4, draft_num: 0, comment_num: 0 };
    expect(UserInfo.strict().parse(await stage.users.info('alice', alice))).toMatchObject(own);
    expect(UserInfo.strict().parse(await stage.users.info('alice', bob))).toMatchObject(others);
    expect(await stage.users.info('alice', null)).toMatchObject(others);
  });

  test('the empty name means the caller, and no one for visitors', async () => {
    expect(await stage.users.info('', alice)).toMatchObject({ username: 'Alice', comment_num: 3 });
    await expect(stage.users.info('', null)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(stage.users.info('nobody', alice)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });

  test('a bio is changed only by its owner, and invalidates caches', async () => {
    await stage.users.updateBio(alice, '新的简介 <b>');
    expect((await stage.users.detail('alice')).bio).toBe('新的简介 <b>');
    expect((await stage.users.detail('鲍勃')).bio).toBe('');
    expect(stage.events).toEqual([{ type: 'user-changed', username: 'Alice', what: 'bio' }]);
    const gone = { id: 'f'.repeat(24), username: 'gone' };
    await expect(stage.users.updateBio(gone, 'x')).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    expect(stage.events).toHaveLength(1);
  });

  test('a gender is changed only by its owner, and invalidates caches', async () => {
    await stage.users.updateGender(alice, 'm');
    expect(await stage.users.detail('alice')).toMatchObject({ gender: 'm', bio: '写字的人' });
    expect((await stage.users.detail('鲍勃')).gender).toBe('f');
    expect(stage.events).toEqual([{ type: 'user-changed', username: 'Alice', what: 'bio' }]);
    const gone = { id: 'f'.repeat(24), username: 'gone' };
    await expect(stage.users.updateGender(gone, 'm')).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
  });

  test('statistics count users, without refused sign-ups', async () => {
    await expect(stage.auth.addUser(account('ALICE'))).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    const duplicate = newUser('aLice');
    await expect(stage.db.write((trx) => stage.users.add(trx, duplicate))).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
    });
    expect(await stage.users.statistics()).toEqual({ userNum: 2, pageNum: 0 });
  });

  test('the operator sees every user with all numbers, oldest first', async () => {
    const list = await stage.users.listUsers();
    expect(list.map(({ username, page_num, draft_num }) => [username, page_num, draft_num])).toEqual([
      ['Alice', 6, 7],
      ['鲍勃', 0, 0],
    ]);
  });
});
