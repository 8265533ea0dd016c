import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Proof, Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { ENGINE } from '../engine.ts';
import { account, HOME, ORIGIN } from './accounts.ts';
import { NEW_PASSWORD, openSafety, PASSWORD, type SafetyStage } from './safety-stage.ts';

const EMAIL = 'alice@example.com';
const OTHER = 'alice@example.org';

let stage: SafetyStage;
/** Number of mails that `mails` has already returned. */
let read = 0;
beforeEach(async () => {
  stage = await openSafety();
  read = 0;
});
afterEach(() => stage.close());

const secretSent = () => /#([\w-]+)/.exec(stage.mails.at(-1)?.text ?? '')?.[1] ?? '';
const setEmail = (viewer: Viewer, email: string, proof: Proof) =>
  stage.recovery.setEmail(viewer, { email, ...proof }, HOME);
/** Creates an account with a verified address. */
const openAccount = async () => {
  const viewer = await stage.signup();
  await setEmail(viewer, EMAIL, { password: PASSWORD });
  await stage.recovery.verifyEmail(secretSent());
  return viewer;
};
/** Recipient and subject of each mail since the last call. */
const mails = () => {
  const sent = stage.mails.slice(read).map(({ to, subject }) => [to, subject]);
  read = stage.mails.length;
  return sent;
};

/** Changes that require the second factor. */
const CHANGES: [name: string, change: (viewer: Viewer, proof: Proof) => Promise<unknown>][] = [
  [
    'the password',
    (it, proof) => stage.safety.changePassword(it, { ...proof, new_password: NEW_PASSWORD }, HOME),
  ],
  ['the address', (it, proof) => setEmail(it, OTHER, proof)],
  ['no address', (it, proof) => stage.recovery.removeEmail(it, proof, HOME)],
  ['recovery codes', (it, proof) => stage.safety.renewRecovery(it, proof, HOME)],
  ['no second step', (it, proof) => stage.safety.removeTotp(it, proof, HOME)],
  ['a passkey', (it, proof) => stage.passkeys.begin(it, proof, HOME)],
  [
    'an access token',
    (it, proof) => stage.accessTokens.create(it, { name: '同步', scopes: [], days: 1, ...proof }, HOME),
  ],
  ['no passkey', (it, proof) => stage.passkeys.remove(it, { id: 'key', ...proof }, HOME)],
];

describe(`changes of an account, on ${ENGINE}`, () => {
  test.each(CHANGES)(
    'with two-step verification on, %s needs a code that was not used yet',
    async (_, change) => {
      const viewer = await openAccount();
      const { uri } = await stage.switchOn(viewer);
      const missing = { code: 'CODE_WRONG', field: 'code' };
      await expect(change(viewer, { password: PASSWORD })).rejects.toMatchObject(missing);
      await expect(change(viewer, { password: PASSWORD, code: '000000' })).rejects.toMatchObject(missing);
      const code = stage.codeOf(uri);
      await expect(change(viewer, { password: 'wrong', code })).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
      });
      await stage.auth.finishSignin({ ticket: await stage.ticket(), code }, HOME);
      await expect(change(viewer, { password: PASSWORD, code })).rejects.toMatchObject(missing);
      stage.pass(30);
      await change(viewer, { password: PASSWORD, code: stage.codeOf(uri) });
    },
  );

  test.each(CHANGES.slice(0, 3))('without it, %s needs the password alone', async (_, change) => {
    const viewer = await openAccount();
    await expect(change(viewer, { password: PASSWORD })).resolves.not.toBeNull();
  });

  test('each change is mailed to the verified address, a new address to both', async () => {
    const viewer = await openAccount();
    mails();
    await stage.safety.changePassword(viewer, { password: PASSWORD, new_password: NEW_PASSWORD }, HOME);
    expect(mails()).toEqual([[EMAIL, '你在「墨页」的密码已修改']]);
    expect(stage.mails.at(-1)?.text).toContain(`${ORIGIN}/user/settings`);
    const proof = { password: NEW_PASSWORD };
    await setEmail(viewer, OTHER, proof);
    expect(mails()).toEqual([
      [EMAIL, '你在「墨页」的邮箱正要更换，新邮箱确认以后才生效'],
      [OTHER, '确认你在「墨页」的邮箱'],
    ]);
    expect(stage.mails.at(-2)?.text).toContain('新邮箱：al…@example.org');
    await stage.recovery.verifyEmail(secretSent());
    expect(mails()).toEqual([
      [EMAIL, '你在「墨页」的邮箱已更换'],
      [OTHER, '你在「墨页」的邮箱已更换'],
    ]);
    for (const { text } of stage.mails.slice(-2)) expect(text).toContain('新邮箱：al…@example.org');
    const { ticket, uri } = await stage.safety.beginTotp(viewer, NEW_PASSWORD, HOME);
    const { codes } = await stage.safety.confirmTotp(viewer, { ticket, code: stage.codeOf(uri) }, HOME);
    expect(mails()).toEqual([[OTHER, '你在「墨页」的两步验证已开启']]);
    await stage.safety.removeTotp(viewer, { ...proof, code: codes[0] }, HOME);
    expect(mails()).toEqual([
      [OTHER, '你在「墨页」的一个恢复码被用掉了'],
      [OTHER, '你在「墨页」的两步验证已关闭'],
    ]);
    expect(stage.mails.at(-2)?.text).toContain('还剩 9 个恢复码');
    await stage.accessTokens.create(viewer, { name: '同步', scopes: [], days: 1, ...proof }, HOME);
    expect(mails()).toEqual([[OTHER, '你在「墨页」的新的访问令牌已创建']]);
    await stage.recovery.removeEmail(viewer, proof, HOME);
    expect(mails()).toEqual([[OTHER, '你在「墨页」的邮箱已移除']]);
    await stage.safety.changePassword(viewer, { ...proof, new_password: PASSWORD }, HOME);
    expect(mails()).toEqual([]);
  });

  test('a sign-in is mailed once per browser and place, and only if both are new', async () => {
    const viewer = await openAccount();
    expect(viewer.username).toBe('alice');
    const signIn = (address: string, device?: string) =>
      stage.auth.signin(account('alice'), { address, device, client: 'Firefox · Linux' });
    // The first sign-in came with the account.
    await signIn(HOME.address);
    mails();
    await signIn(HOME.address, 'laptop');
    await signIn('198.51.100.9', 'laptop');
    expect(mails()).toEqual([]);
    await signIn('203.0.113.5', 'phone');
    expect(mails()).toEqual([[EMAIL, '你在「墨页」的账号在新的浏览器和地点登录了']]);
    const text = stage.mails.at(-1)?.text ?? '';
    for (const part of ['Firefox · Linux', '203.0.113.5', '2026-01-02 11:04']) expect(text).toContain(part);
    await signIn('203.0.113.5', 'phone');
    await signIn('203.0.113.5');
    expect(mails()).toEqual([]);
    await expect(
      stage.auth.signin(account('alice', 'wrong password'), { address: '203.0.113.77' }),
    ).rejects.toMatchObject({ code: 'SIGNIN_FAILED' });
    expect(mails()).toEqual([]);
  });

  test('a recovery code that finishes a sign-in is mailed', async () => {
    const viewer = await openAccount();
    const { codes } = await stage.switchOn(viewer);
    mails();
    await stage.auth.finishSignin({ ticket: await stage.ticket(), code: codes[0] ?? '' }, HOME);
    expect(mails()).toEqual([[EMAIL, '你在「墨页」的一个恢复码被用掉了']]);
  });

  test('a password set by the operator or a link is mailed too; a refused change is not', async () => {
    const viewer = await openAccount();
    mails();
    await stage.auth.setPassword('alice', NEW_PASSWORD);
    expect(mails()).toEqual([[EMAIL, '你在「墨页」的密码已修改']]);
    await stage.recovery.forgot('alice', HOME);
    await stage.recovery.settled();
    mails();
    await stage.recovery.reset({ token: secretSent(), new_password: PASSWORD }, HOME);
    expect(mails()).toEqual([[EMAIL, '你在「墨页」的密码已修改']]);
    const wrong = { password: 'wrong password', new_password: NEW_PASSWORD };
    await expect(stage.safety.changePassword(viewer, wrong, HOME)).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    });
    expect(mails()).toEqual([]);
  });
});
