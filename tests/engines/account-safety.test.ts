import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { ENGINE } from '../engine.ts';
import { account, HOME, REFRESH_TTL_S } from './accounts.ts';
import { NEW_PASSWORD, openSafety, PASSWORD, type SafetyStage } from './safety-stage.ts';
import { DAY_S } from '../../src/lib/contract/rules/units.ts';

describe(`account safety on ${ENGINE}`, () => {
  let stage: SafetyStage;
  beforeEach(async () => {
    stage = await openSafety();
  });
  afterEach(() => stage.close());

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
      expect(await stage.findViewer(pair)).toMatchObject({ username: 'alice' });
      stage.pass(1);
      expect(await stage.findViewer(pair)).toBeNull();
      await expect(stage.auth.refresh(pair.refresh_token)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    });

    test('is listed with its device and the hour of its last use', async () => {
      const pair = await stage.auth.signup(account('alice'), { ...HOME, client: 'Windows 上的 Chrome' });
      stage.pass(600);
      const phone = await stage.viewerOf(await stage.signin({ client: 'iPhone 上的 Safari' }));
      expect(await stage.safety.devices(phone)).toMatchObject([
        { name: 'iPhone 上的 Safari', is_current: true },
        { name: 'Windows 上的 Chrome', is_current: false },
      ]);
      const usedAt = async () =>
        (await stage.safety.devices(phone)).find(({ is_current }) => !is_current)?.last_used;
      const began = await usedAt();
      const renewed = await stage.auth.refresh(pair.refresh_token);
      expect(await usedAt()).toBe(began);
      stage.pass(3600);
      await stage.auth.refresh(renewed.refresh_token);
      expect(await usedAt()).toBe(new Date(stage.now()).toISOString());
    });

    test('that has ended is not listed', async () => {
      await stage.auth.signup(account('alice'), HOME);
      stage.pass(REFRESH_TTL_S);
      expect(await stage.safety.devices(await stage.viewerOf(await stage.signin()))).toHaveLength(1);
    });

    test('can be ended by its owner from another one, and by no one else', async () => {
      const [desk, bob] = [await stage.signup(), await stage.signup('bob')];
      const phone = await stage.signin();
      const { signinId } = await stage.viewerOf(phone);
      await stage.safety.endDevice(bob, signinId);
      expect(await stage.findViewer(phone)).not.toBeNull();
      await stage.safety.endDevice(desk, signinId);
      expect(await stage.findViewer(phone)).toBeNull();
      expect(stage.events).toEqual([{ type: 'signed-out', signinId }]);
      await stage.safety.endDevice(desk, signinId);
    });

    test('can end all other sign-ins of its owner', async () => {
      const [desk, bob] = [await stage.signup(), await stage.signup('bob')];
      const others = [await stage.signin(), await stage.signin()];
      expect(await stage.safety.endOtherDevices(desk)).toBe(2);
      for (const pair of others) expect(await stage.findViewer(pair)).toBeNull();
      expect(await stage.safety.devices(desk)).toHaveLength(1);
      expect(await stage.safety.devices(bob)).toHaveLength(1);
    });
  });

  describe('a password', () => {
    const change = (viewer: Viewer, password: string) =>
      stage.safety.changePassword(viewer, { password, new_password: NEW_PASSWORD }, HOME);

    test('is changed with the current one: other sign-ins end, this one stays', async () => {
      const desk = await stage.signup();
      const phone = await stage.signin();
      await change(desk, PASSWORD);
      expect(await stage.findViewer(phone)).toBeNull();
      expect(await stage.safety.devices(desk)).toHaveLength(1);
      expect(await stage.auth.verifyPassword('alice', NEW_PASSWORD)).toBe(true);
      expect(await stage.auth.verifyPassword('alice', PASSWORD)).toBe(false);
    });

    test('is not changed without the current one', async () => {
      const desk = await stage.signup();
      const phone = await stage.signin();
      await expect(change(desk, 'wrong password')).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
        field: 'password',
      });
      expect(await stage.findViewer(phone)).not.toBeNull();
      expect(await stage.auth.verifyPassword('alice', PASSWORD)).toBe(true);
    });

    test('changed twice concurrently is changed once', async () => {
      const desk = await stage.signup();
      const outcomes = await Promise.allSettled([change(desk, PASSWORD), change(desk, PASSWORD)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('cannot be guessed with a stolen sign-in, which does not lock out the owner', async () => {
      await stage.close();
      stage = await openSafety({ limits: true });
      const desk = await stage.signup();
      for (let guess = 0; guess < 10; guess++)
        await expect(change(desk, `guess ${guess}`)).rejects.toMatchObject({ code: 'PASSWORD_WRONG' });
      await expect(change(desk, PASSWORD)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      await change(await stage.viewerOf(await stage.signin()), PASSWORD);
    });
  });

  test('expired tickets are deleted', async () => {
    const desk = await stage.signup();
    await stage.safety.beginTotp(desk, PASSWORD, HOME);
    stage.pass(DAY_S);
    await stage.auth.purgeExpired();
    expect(await stage.db.read.selectFrom('account_tickets').selectAll().execute()).toEqual([]);
  });
});
