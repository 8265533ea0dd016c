import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINE } from '../engine.ts';
import { HOME } from './accounts.ts';
import { NEW_PASSWORD, openSafety, partsOf, PASSWORD, type SafetyStage } from './safety-stage.ts';

describe(`two-step verification on ${ENGINE}`, () => {
  let stage: SafetyStage;
  beforeEach(async () => {
    stage = await openSafety();
  });
  afterEach(() => stage.close());

  test('is enabled with a code of the app, and ends the other sign-ins', async () => {
    const desk = await stage.signup();
    const phone = await stage.signin();
    const { ticket, uri, secret } = await stage.safety.beginTotp(desk, PASSWORD, HOME);
    expect(uri).toContain(`secret=${secret}`);
    expect(decodeURIComponent(uri)).toContain('墨页:alice');
    await expect(stage.safety.confirmTotp(desk, { ticket, code: '000000' }, HOME)).rejects.toMatchObject({
      code: 'CODE_WRONG',
      field: 'code',
    });
    await stage.signin();
    expect(await stage.safety.twoStep(desk.id)).toEqual({ has_totp: false, recovery_codes: 0 });
    const { codes } = await stage.safety.confirmTotp(desk, { ticket, code: stage.codeOf(uri) }, HOME);
    expect(new Set(codes).size).toBe(10);
    expect(await stage.safety.twoStep(desk.id)).toEqual({ has_totp: true, recovery_codes: 10 });
    expect(await stage.findViewer(phone)).toBeNull();
    expect(await stage.safety.devices(desk)).toHaveLength(1);
  });

  test('requires the password, and a code for the secret shown to this user', async () => {
    const [alice, bob] = [await stage.signup(), await stage.signup('bob')];
    await expect(stage.safety.beginTotp(alice, 'wrong password', HOME)).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    });
    const { ticket, uri } = await stage.safety.beginTotp(alice, PASSWORD, HOME);
    for (const given of [ticket, 'no such ticket'])
      await expect(
        stage.safety.confirmTotp(bob, { ticket: given, code: stage.codeOf(uri) }, HOME),
      ).rejects.toMatchObject({ code: 'TICKET_OVER' });
    stage.pass(1800);
    await expect(
      stage.safety.confirmTotp(alice, { ticket, code: stage.codeOf(uri) }, HOME),
    ).rejects.toMatchObject({
      code: 'TICKET_OVER',
    });
  });

  test('the password then yields a ticket, and ticket and code a sign-in', async () => {
    const { uri } = await stage.switchOn(await stage.signup());
    const ticket = await stage.ticket();
    const pair = await stage.auth.finishSignin({ ticket, code: stage.codeOf(uri) }, HOME);
    expect(await stage.viewerOf(pair)).toMatchObject({ username: 'alice' });
    stage.pass(60);
    // A ticket is valid for one sign-in.
    await expect(stage.auth.finishSignin({ ticket, code: stage.codeOf(uri) }, HOME)).rejects.toMatchObject({
      code: 'TICKET_OVER',
    });
  });

  test('accepts no code twice, none older than the last one used, and none of two minutes ago', async () => {
    const { uri } = await stage.switchOn(await stage.signup());
    const older = stage.codeOf(uri);
    stage.pass(30);
    const code = stage.codeOf(uri);
    await stage.auth.finishSignin({ ticket: await stage.ticket(), code }, HOME);
    const ticket = await stage.ticket();
    for (const each of [code, older])
      await expect(stage.auth.finishSignin({ ticket, code: each }, HOME)).rejects.toMatchObject({
        code: 'CODE_WRONG',
      });
    const stale = stage.codeOf(uri);
    stage.pass(120);
    await expect(stage.auth.finishSignin({ ticket, code: stale }, HOME)).rejects.toMatchObject({
      code: 'CODE_WRONG',
    });
    // A wrong code does not use up the ticket.
    await stage.auth.finishSignin({ ticket, code: stage.codeOf(uri) }, HOME);
  });

  test('of two concurrent uses of one code, one succeeds', async () => {
    const { uri } = await stage.switchOn(await stage.signup());
    const [one, other] = [await stage.ticket(), await stage.ticket()];
    const code = stage.codeOf(uri);
    const outcomes = await Promise.allSettled(
      [one, other].map((ticket) => stage.auth.finishSignin({ ticket, code }, HOME)),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('a recovery code works once, however it is typed; new ones replace the old', async () => {
    const desk = await stage.signup();
    const { codes } = await stage.switchOn(desk);
    const [first = '', second = ''] = codes;
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `;
    await stage.auth.finishSignin({ ticket: await stage.ticket(), code: typed }, HOME);
    expect(await stage.safety.twoStep(desk.id)).toEqual({ has_totp: true, recovery_codes: 9 });
    const ticket = await stage.ticket();
    await expect(stage.auth.finishSignin({ ticket, code: first }, HOME)).rejects.toMatchObject({
      code: 'CODE_WRONG',
    });
    const [, , third = ''] = codes;
    const renewed = await stage.safety.renewRecovery(desk, { password: PASSWORD, code: third }, HOME);
    await expect(stage.auth.finishSignin({ ticket, code: second }, HOME)).rejects.toMatchObject({
      code: 'CODE_WRONG',
    });
    await stage.auth.finishSignin({ ticket, code: renewed.codes[0] ?? '' }, HOME);
  });

  test('stores neither secret nor codes in clear text', async () => {
    const { uri, codes } = await stage.switchOn(await stage.signup());
    const totps = await stage.db.read.selectFrom('user_totps').selectAll().execute();
    const rows = await stage.db.read.selectFrom('recovery_codes').selectAll().execute();
    const stored = JSON.stringify([totps, rows]);
    for (const text of [partsOf(uri).secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(text);
  });

  test('a ticket expires after ten minutes, and when the password changes', async () => {
    const desk = await stage.signup();
    const { uri } = await stage.switchOn(desk);
    const ended = await stage.ticket();
    stage.pass(600);
    await expect(
      stage.auth.finishSignin({ ticket: ended, code: stage.codeOf(uri) }, HOME),
    ).rejects.toMatchObject({
      code: 'TICKET_OVER',
    });
    const voided = await stage.ticket();
    const proof = { password: PASSWORD, code: stage.codeOf(uri) };
    await stage.safety.changePassword(desk, { ...proof, new_password: NEW_PASSWORD }, HOME);
    stage.pass(30);
    await expect(
      stage.auth.finishSignin({ ticket: voided, code: stage.codeOf(uri) }, HOME),
    ).rejects.toMatchObject({ code: 'TICKET_OVER' });
  });

  test('is disabled with password and code; the app’s secret is void then', async () => {
    const desk = await stage.signup();
    const { codes } = await stage.switchOn(desk);
    await expect(stage.safety.beginTotp(desk, PASSWORD, HOME)).rejects.toMatchObject({ code: 'TOTP_ON' });
    await expect(stage.safety.removeTotp(desk, { password: 'wrong password' }, HOME)).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    });
    const ticket = await stage.ticket();
    await stage.safety.removeTotp(desk, { password: PASSWORD, code: codes[1] }, HOME);
    await expect(stage.auth.finishSignin({ ticket, code: codes[0] ?? '' }, HOME)).rejects.toMatchObject({
      code: 'CODE_WRONG',
    });
    expect(await stage.db.read.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    await stage.signin();
    await expect(stage.safety.removeTotp(desk, { password: PASSWORD }, HOME)).rejects.toMatchObject({
      code: 'TOTP_OFF',
    });
    await expect(stage.safety.renewRecovery(desk, { password: PASSWORD }, HOME)).rejects.toMatchObject({
      code: 'TOTP_OFF',
    });
  });

  test('guesses of codes are limited, separately from the password’s', async () => {
    await stage.close();
    stage = await openSafety({ limits: true });
    const { uri } = await stage.switchOn(await stage.signup());
    const ticket = await stage.ticket();
    const guess = () => stage.auth.finishSignin({ ticket, code: '000000' }, HOME);
    for (let guesses = 0; guesses < 10; guesses++)
      await expect(guess()).rejects.toMatchObject({ code: 'CODE_WRONG' });
    await expect(guess()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const again = await stage.ticket();
    await expect(
      stage.auth.finishSignin({ ticket: again, code: stage.codeOf(uri) }, HOME),
    ).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  test('with a lost site secret, recovery codes still work', async () => {
    const { codes } = await stage.switchOn(await stage.signup());
    await stage.db.write(async (trx) => {
      await trx.updateTable('user_totps').set({ secret: 'what nobody can open' }).execute();
    });
    const ticket = await stage.ticket();
    await expect(stage.auth.finishSignin({ ticket, code: '123456' }, HOME)).rejects.toMatchObject({
      code: 'CODE_WRONG',
    });
    await stage.auth.finishSignin({ ticket, code: codes[0] ?? '' }, HOME);
  });
});
