import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newUser } from '../clean-texts.ts';
import { createKnownPlaces, type KnownPlaces } from '../../src/lib/server/auth/guard/known-places.ts';
import { ENGINE } from '../engine.ts';
import { account, HOME, openAccounts, SECRET, type AccountStage } from './accounts.ts';
import { DAY_S } from '../../src/lib/contract/rules/units.ts';

const WRONG = '不是这个密码，也不是那个';
const PHONE = { address: '198.51.100.1', device: 'a phone' };
const WAIT = {
  code: 'TOO_MANY_REQUESTS',
  status: 429,
  retryAfter: 300,
  message: '该账号近来有多次密码错误，从新的设备登录请等待 5 分钟后再试；登录过该账号的设备不受影响',
};

describe(`known places of an account on ${ENGINE}`, () => {
  let stage: AccountStage;
  let places: KnownPlaces;
  beforeEach(async () => {
    stage = await openAccounts({ limits: true });
    places = createKnownPlaces({ db: stage.db, secret: SECRET, now: stage.now });
  });
  afterEach(() => stage.close());

  const guess = (username: string, index: number) =>
    stage.auth
      .signin({ username, password: WRONG }, { address: `10.0.${index}.1` })
      .catch((error: { code: string }) => error.code);
  /** Twenty wrong guesses, each from another address. */
  async function attack(username: string): Promise<void> {
    for (let index = 0; index < 20; index++) expect(await guess(username, index)).toBe('SIGNIN_FAILED');
  }
  const rows = () => stage.db.read.selectFrom('known_places').selectAll().execute();

  test('are not affected by guesses from elsewhere, also after a restart; a new place waits five minutes', async () => {
    await stage.auth.signup(account('alice'), HOME);
    await stage.auth.signin(account('alice'), PHONE);
    await attack('alice');
    const elsewhere = { address: '203.0.113.9' };
    await expect(stage.auth.signin(account('alice'), elsewhere)).rejects.toMatchObject(WAIT);
    for (const auth of [stage.auth, stage.start()]) {
      expect(await auth.signin(account('alice'), HOME)).toHaveProperty('token');
      // The phone has another address now.
      expect(await auth.signin(account('alice'), { ...elsewhere, device: PHONE.device })).toHaveProperty(
        'token',
      );
    }
    stage.pass(300);
    expect(await stage.auth.signin(account('alice'), elsewhere)).toHaveProperty('token');
  });

  test('apply to one account only, and an unknown name gets the same response', async () => {
    await stage.auth.signup(account('alice'), PHONE);
    await stage.auth.addUser(account('bob'));
    for (const name of ['bob', 'nobody']) {
      await attack(name);
      await expect(stage.auth.signin(account(name), PHONE)).rejects.toMatchObject(WAIT);
    }
    expect(await stage.auth.signin(account('alice'), PHONE)).toHaveProperty('token');
  });

  test('are learned only from a right password', async () => {
    await stage.auth.addUser(account('alice'));
    await stage.auth.signin({ username: 'alice', password: WRONG }, PHONE).catch(() => {});
    expect(await rows()).toEqual([]);
    await stage.auth.signin(account('alice'), PHONE);
    expect(await rows()).toHaveLength(2);
    expect(JSON.stringify(await rows())).not.toMatch(/phone|198\.51/);
  });

  test('expire after 180 days without a sign-in', async () => {
    await stage.auth.signup(account('alice'), HOME);
    stage.pass(100 * DAY_S);
    await stage.auth.signin(account('alice'), PHONE);
    stage.pass(80 * DAY_S);
    expect(await places.find('alice', HOME)).toBeNull();
    expect(await places.find(' ALICE ', PHONE)).not.toBeNull();
    await stage.auth.purgeExpired();
    expect(await rows()).toHaveLength(2);
  });

  test('are at most fifty, and those never used again are evicted first', async () => {
    const { id } = await stage.db.write(async (trx) => {
      const user = newUser('alice');
      return { id: await stage.users.add(trx, user) };
    });
    const visit = async (device: string, address = '192.0.2.1') => {
      stage.pass(1);
      await stage.db.write((trx) => places.note(trx, id, { address, device }));
    };
    await visit('laptop');
    await visit('laptop');
    for (let index = 0; index < 100; index++) await visit(`script ${index}`);
    expect(await rows()).toHaveLength(50);
    const knows = (device: string) => places.find('alice', { address: '203.0.113.9', device });
    expect(await knows('laptop')).not.toBeNull();
    expect(await knows('script 99')).not.toBeNull();
    expect(await knows('script 3')).toBeNull();
    for (let index = 0; index < 60; index++)
      for (let times = 0; times < 2; times++) await visit(`tablet ${index}`);
    expect(await rows()).toHaveLength(50);
    await visit('new laptop');
    expect(await knows('new laptop')).not.toBeNull();
    expect(await knows('laptop')).toBeNull();
  });
});
