import { z } from 'zod';
import { byId, nothing, notice, open, signedIn, passwordsDiffer } from './call.ts';
import {
  AccessToken,
  Device,
  PasskeyAnswer,
  PasskeyOptions,
  RecoveryCodes,
  Safety,
  TotpSetup,
} from '../account-entities.ts';
import { TokenPair } from '../entities.ts';
import {
  absentField,
  accessTokenNameField,
  booleanField,
  emailField,
  listField,
  passkeyNameField,
  passwordField,
  repeatedPasswordField,
  usernameField,
  wholeField,
} from '../fields.ts';
import { MAX_ACCESS_TOKEN_DAYS, SCOPE_NAMES } from '../rules/scopes.ts';

/** A password for comparison only; its rules were checked when it was chosen. */
const knownPassword = z
  .string({ error: '请填写密码' })
  .min(1, '请填写密码')
  .max(1024, '密码应为 8–128 个字符');
/** An opaque token issued by the server. */
const secret = (error: string) => z.string({ error }).trim().min(1, error).max(500, error);
const ticket = secret('请重新登录');
const code = z
  .string({ error: '请填写验证码' })
  .trim()
  .min(1, '请填写验证码')
  .max(60, '验证码应为 6 位数字，或一个恢复码');

const passkeyId = z.string({ error: '请选择通行密钥' }).regex(/^[\w-]{1,2000}$/, '请选择通行密钥');
const identityId = z.string({ error: '请选择登录方式' }).regex(/^[0-9a-f]{24}$/, '请选择登录方式');
/** Id of an identity provider in the site's settings. */
const provider = z.string({ error: '请选择登录方式' }).regex(/^[a-z0-9-]{1,40}$/, '请选择登录方式');
const withPassword = z.object({ password: knownPassword });
/** Fields that confirm a change; the code is needed if two-step verification is on. */
export const proof = { password: knownPassword, code: code.optional() };
const withProof = z.object(proof);
const newPassword = { new_password: passwordField, repassword: repeatedPasswordField };
const isTypedTwice = (body: { new_password: string; repassword: string }) =>
  body.new_password === body.repassword;

export const accountCalls = {
  signinFinish: open('write', z.object({ ticket, code }), TokenPair),
  safety: signedIn('read', nothing, Safety),
  passwordChange: signedIn(
    'write',
    z
      .object({ ...proof, ...newPassword, keep_tokens: absentField(booleanField.default(false)) })
      .refine(isTypedTwice, passwordsDiffer),
    notice,
  ),
  usernameChange: signedIn('write', z.object({ username: usernameField, ...proof }), notice),
  deviceList: signedIn('read', nothing, z.array(Device)),
  deviceEnd: signedIn(
    'write',
    z.object({ id: z.string({ error: '请选择设备' }).regex(/^[\w-]{1,100}$/, '请选择设备') }),
    notice,
  ),
  deviceEndOthers: signedIn('write', nothing, z.object({ ended: z.int() })),
  totpBegin: signedIn('write', withPassword, TotpSetup),
  totpConfirm: signedIn('write', z.object({ ticket, code }), RecoveryCodes),
  totpRemove: signedIn('write', withProof, notice),
  recoveryRenew: signedIn('write', withProof, RecoveryCodes),
  exportBegin: signedIn('write', nothing, z.object({ url: z.string() })),
  accountClose: signedIn(
    'write',
    z.object({
      password: knownPassword,
      contents: z.enum(['keep', 'remove'], { error: '请选择文章和评论怎么办' }),
    }),
    notice,
  ),
  passkeyAsk: open('read', nothing, PasskeyOptions),
  passkeySignin: open('write', z.object({ response: PasskeyAnswer }), TokenPair),
  passkeyBegin: signedIn('write', withProof, z.object({ ticket: z.string(), options: PasskeyOptions })),
  passkeyAdd: signedIn(
    'write',
    z.object({ ticket, name: passkeyNameField, response: PasskeyAnswer }),
    notice,
  ),
  passkeyRename: signedIn('write', z.object({ id: passkeyId, name: passkeyNameField }), notice),
  passkeyRemove: signedIn('write', z.object({ id: passkeyId, ...proof }), notice),
  /** The caller's access tokens, newest first, and the scopes that the caller may choose. */
  accessTokenList: signedIn(
    'read',
    nothing,
    z.object({ tokens: z.array(AccessToken), scopes: z.array(z.enum(SCOPE_NAMES)) }),
  ),
  accessTokenCreate: signedIn(
    'write',
    z.object({
      name: accessTokenNameField,
      scopes: listField(z.enum(SCOPE_NAMES, { error: '没有这种权限' }), '权限').refine(
        (scopes) => scopes.length > 0,
        { error: '请选择权限' },
      ),
      days: wholeField('有效天数', MAX_ACCESS_TOKEN_DAYS),
      ...proof,
    }),
    /** Shown only once, because the server stores a hash. */
    z.object({ token: z.string() }),
  ),
  accessTokenRevoke: signedIn('write', byId, notice),
  identityLink: signedIn('write', z.object({ provider, ...proof }), z.object({ url: z.string() })),
  identityUnlink: signedIn('write', z.object({ id: identityId, ...proof }), notice),
  emailSet: signedIn('write', z.object({ email: emailField, ...proof }), notice),
  emailRemove: signedIn('write', withProof, notice),
  emailVerify: open(
    'write',
    z.object({ token: secret('请用邮件里完整的链接打开') }),
    z.object({ email: z.string() }),
  ),
  passwordForgot: open(
    'write',
    z.object({
      account: z
        .string({ error: '请填写用户名或邮箱' })
        .trim()
        .min(1, '请填写用户名或邮箱')
        .max(254, '请填写用户名或邮箱')
        .refine((value) => !value.includes('\0'), '请填写用户名或邮箱'),
    }),
    notice,
  ),
  passwordReset: open(
    'write',
    z.object({ token: secret('请用完整的链接打开'), ...newPassword }).refine(isTypedTwice, passwordsDiffer),
    notice,
  ),
};
