import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TokenPair } from '../../src/lib/contract/entities.ts';
import { ENGINE } from '../engine.ts';
import { account, HOME, openAccounts, REFRESH_TTL_S, type AccountStage } from './accounts.ts';

describe(`refreshing on ${ENGINE}`, () => {
  let stage: AccountStage;
  beforeEach(async () => {
    stage = await openAccounts();
  });
  afterEach(() => stage.close());

  const viewerOf = async (pair: TokenPair) => (await stage.auth.viewerOf(`Beare ${pair.token}`)).viewer;
  const countRows = async (table: 'signins' | 'refresh_tokens') =>
    (await stage.db.read.selectFrom(table).selectAll().execute()).length;

  test('responds with a new pair, to refresh tokens only', async () => {
    const first = await stage.auth.signup(account('alice'), HOME);
    const second = await stage.auth.refresh(`Beare ${first.refresh_token}`);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await viewerOf(second)).toMatchObject({ username: 'alice' });
    for (const value of [undefined, 'Beare undefined', first.token, second.token, 'x.y.z']) {
      await expect(stage.auth.refresh(value)).rejects.toMatchObject({
        code: 'SIGNIN_REQUIRED',
        status: 402,
      });
    }
    expect(await viewerOf(second)).not.toBeNull();
  });

  test('for 30 s the replaced token returns the same successor', async () => {
    const first = await stage.auth.signup(account('alice'), HOME);
    const second = await stage.auth.refresh(first.refresh_token);
    stage.pass(30);
    const again = await stage.auth.refresh(first.refresh_token);
    expect(again.refresh_token).toBe(second.refresh_token);
    expect(await viewerOf(again)).not.toBeNull();
  });

  test('later reuse ends the sign-in for everyone who holds one of its tokens', async () => {
    const first = await stage.auth.signup(account('alice'), HOME);
    const other = await stage.auth.signin(account('alice'), HOME);
    const second = await stage.auth.refresh(first.refresh_token);
    stage.pass(31);
    await expect(stage.auth.refresh(first.refresh_token)).rejects.toMatchObject({
      code: 'SIGNIN_REQUIRED',
    });
    await expect(stage.auth.refresh(second.refresh_token)).rejects.toMatchObject({
      code: 'SIGNIN_REQUIRED',
    });
    expect(await viewerOf(second)).toBeNull();
    expect(await viewerOf(other)).not.toBeNull();
    expect(stage.events.map(({ type }) => type)).toEqual(['signed-out']);
  });

  test('a token replaced long ago still ends the sign-in, though its row is gone', async () => {
    const first = await stage.auth.signup(account('alice'), HOME);
    let latest = first;
    for (let round = 0; round < 5; round++) {
      stage.pass(600);
      latest = await stage.auth.refresh(latest.refresh_token);
    }
    expect(await countRows('refresh_tokens')).toBe(2);
    await expect(stage.auth.refresh(first.refresh_token)).rejects.toMatchObject({
      code: 'SIGNIN_REQUIRED',
    });
    await expect(stage.auth.refresh(latest.refresh_token)).rejects.toMatchObject({
      code: 'SIGNIN_REQUIRED',
    });
    expect(await countRows('refresh_tokens')).toBe(0);
  });

  test('20 concurrent refreshes, 50 rounds: one family, one successor, no one signed out', async () => {
    let pair = await stage.auth.signup(account('alice'), HOME);
    for (let round = 0; round < 50; round++) {
      const { refresh_token } = pair;
      const pairs = await Promise.all(Array.from({ length: 20 }, () => stage.auth.refresh(refresh_token)));
      expect(new Set(pairs.map((each) => each.refresh_token)).size).toBe(1);
      pair = pairs[round % 20] ?? pair;
      stage.pass(round % 3 === 0 ? 40 : 1);
    }
    expect(await viewerOf(await stage.auth.refresh(pair.refresh_token))).toMatchObject({
      username: 'alice',
    });
    expect(await countRows('signins')).toBe(1);
    expect(stage.events).toEqual([]);
  });

  test('a sign-in lasts while it is used, and its rows are deleted when it expires', async () => {
    let pair = await stage.auth.signup(account('alice'), HOME);
    await stage.auth.signup(account('bob'), HOME);
    stage.pass(REFRESH_TTL_S - 10);
    pair = await stage.auth.refresh(pair.refresh_token);
    stage.pass(20);
    expect(await stage.auth.purgeExpired()).toBe(1);
    pair = await stage.auth.refresh(pair.refresh_token);
    stage.pass(REFRESH_TTL_S);
    await expect(stage.auth.refresh(pair.refresh_token)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    expect(await stage.auth.purgeExpired()).toBe(1);
    expect([await countRows('signins'), await countRows('refresh_tokens')]).toEqual([0, 0]);
    expect(await stage.auth.purgeExpired()).toBe(0);
  });

  test('no stored value can be used as a token', async () => {
    const pair = await stage.auth.signup(account('alice'), HOME);
    const claims = JSON.parse(
      Buffer.from(pair.refresh_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { jti: string };
    const stored = JSON.stringify(await stage.db.read.selectFrom('refresh_tokens').selectAll().execute());
    expect(stored).toContain(createHash('sha256').update(claims.jti).digest('hex'));
    expect(stored).not.toContain(claims.jti);
  });
});
