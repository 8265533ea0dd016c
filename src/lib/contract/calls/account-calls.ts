import { z } from 'zod';
import {
  AccessToken,
  Device,
  PasskeyAnswer,
  PasskeyOptions,
  RecoveryCodes,
  Safety,
  TotpSetup,
} from '../account-entities.ts';
import { byId, open, passwordsDiffer, read, signedIn, write } from './call.ts';
import {
  code,
  isTypedTwice,
  knownPassword,
  newPassword,
  PASSWORD_REFUSALS,
  proof,
  PROOF_REFUSALS,
  secret,
  ticket,
  WITH_CODE,
} from './credentials.ts';
import {
  absentField,
  accessTokenNameField,
  booleanField,
  emailField,
  listField,
  passkeyNameField,
  wholeField,
} from '../fields.ts';
import { MAX_ACCESS_TOKEN_DAYS, SCOPE_NAMES } from '../rules/scopes.ts';
import { int, list, string } from '../titled.ts';

const passkeyId = z.string({ error: '请选择通行密钥' }).regex(/^[\w-]{1,2000}$/, '请选择通行密钥');
const identityId = z.string({ error: '请选择登录方式' }).regex(/^[0-9a-f]{24}$/, '请选择登录方式');
const provider = z
  .string({ error: '请选择登录方式' })
  .regex(/^[a-z0-9-]{1,40}$/, '请选择登录方式')
  .meta({ title: '登录方式的 id，本站已停用的为空' });
const withPassword = z.object({ password: knownPassword });
const withProof = z.object(proof);

export const safetyCalls = {
  safety: read(signedIn(), 'POST /api/user/safety', '账号安全的现状', { output: Safety, isOptional: true }),
  passwordChange: write(signedIn(), 'POST /api/user/password', '修改密码', {
    description: `${WITH_CODE}其他设备退出登录。`,
    input: z
      .object({
        ...proof,
        ...newPassword,
        keep_tokens: absentField(booleanField('保留访问令牌').default(false)),
      })
      .refine(isTypedTwice, passwordsDiffer),
    refusals: PROOF_REFUSALS,
    writes: [],
  }),
  deviceList: read(signedIn(), 'POST /api/user/devices', '登录着的设备', { output: z.array(Device) }),
  deviceEnd: write(signedIn(), 'POST /api/user/devices/end', '让一台设备退出登录', {
    input: z.object({
      id: z
        .string({ error: '请选择设备' })
        .regex(/^[\w-]{1,100}$/, '请选择设备')
        .meta({ title: '编号' }),
    }),
    writes: [],
  }),
  deviceEndOthers: write(signedIn(), 'POST /api/user/devices/others', '让其他设备都退出登录', {
    output: z.object({ ended: int('退出的数目') }),
    writes: [],
  }),
  totpBegin: write(signedIn(), 'POST /api/user/totp/begin', '开始设置两步验证', {
    input: withPassword,
    output: TotpSetup,
    refusals: [...PASSWORD_REFUSALS, 'TOTP_ON'],
    writes: [],
  }),
  totpConfirm: write(signedIn(), 'POST /api/user/totp/confirm', '用第一个验证码开启两步验证', {
    input: z.object({ ticket, code }),
    output: RecoveryCodes,
    refusals: ['TICKET_OVER', 'CODE_WRONG', 'TOTP_ON'],
    writes: [],
  }),
  totpRemove: write(signedIn(), 'POST /api/user/totp/remove', '关闭两步验证', {
    input: withProof,
    refusals: [...PROOF_REFUSALS, 'TOTP_OFF'],
    writes: [],
  }),
  recoveryRenew: write(signedIn(), 'POST /api/user/recovery', '换一组恢复码', {
    input: withProof,
    output: RecoveryCodes,
    refusals: [...PROOF_REFUSALS, 'TOTP_OFF'],
    writes: [],
  }),
  passkeyBegin: write(signedIn(), 'POST /api/user/passkeys/begin', '开始添加通行密钥', {
    description: WITH_CODE,
    input: withProof,
    output: z.object({
      ticket: string('继续要用的编号'),
      options: PasskeyOptions.meta({ title: 'WebAuthn 的参数' }),
    }),
    refusals: [...PROOF_REFUSALS, 'PASSKEYS_TOO_MANY'],
    writes: [],
  }),
  passkeyAdd: write(signedIn(), 'POST /api/user/passkeys/add', '添加通行密钥', {
    input: z.object({
      ticket,
      name: passkeyNameField,
      response: PasskeyAnswer,
    }),
    refusals: ['TICKET_OVER', 'PASSKEY_UNUSABLE', 'PASSKEYS_TOO_MANY'],
    writes: [],
  }),
  passkeyRename: write(signedIn(), 'POST /api/user/passkeys/rename', '给通行密钥改名', {
    input: z.object({ id: passkeyId.meta({ title: '编号' }), name: passkeyNameField }),
    refusals: ['PASSKEY_NOT_FOUND'],
    writes: [],
  }),
  passkeyRemove: write(signedIn(), 'POST /api/user/passkeys/remove', '删除通行密钥', {
    description: WITH_CODE,
    input: z.object({ id: passkeyId.meta({ title: '编号' }), ...proof }),
    refusals: [...PROOF_REFUSALS, 'PASSKEY_NOT_FOUND'],
    writes: [],
  }),
  identityLink: write(signedIn(), 'POST /api/user/identities/link', '开始绑定另一种登录方式', {
    description: `同一个浏览器两分钟内打开得到的网址，到那里登录。${WITH_CODE}`,
    input: z.object({ provider, ...proof }),
    output: z.object({ url: string('网址') }),
    refusals: [...PROOF_REFUSALS, 'PROVIDER_UNKNOWN'],
    writes: [],
  }),
  identityUnlink: write(signedIn(), 'POST /api/user/identities/unlink', '解除绑定一种登录方式', {
    description: WITH_CODE,
    input: z.object({ id: identityId.meta({ title: '编号' }), ...proof }),
    refusals: [...PROOF_REFUSALS, 'LAST_WAY_IN'],
    writes: [],
  }),
  accessTokenList: read(signedIn(), 'POST /api/user/tokens', '自己的访问令牌，和可以选的权限', {
    output: z.object({
      tokens: list('访问令牌', AccessToken),
      scopes: list('权限', z.enum(SCOPE_NAMES)),
    }),
    isOptional: true,
  }),
  accessTokenCreate: write(signedIn(), 'POST /api/user/tokens/create', '新建访问令牌', {
    description: `令牌只在这次的回答里。${WITH_CODE}`,
    input: z.object({
      name: accessTokenNameField,
      scopes: listField(z.enum(SCOPE_NAMES, { error: '没有这种权限' }), '权限').refine(
        (scopes) => scopes.length > 0,
        { error: '请选择权限' },
      ),
      days: wholeField('有效天数', MAX_ACCESS_TOKEN_DAYS),
      ...proof,
    }),
    /** Shown only once, because the server stores a hash. */
    output: z.object({ token: string('令牌') }),
    refusals: [...PROOF_REFUSALS, 'ACCESS_TOKENS_TOO_MANY'],
    writes: [],
  }),
  accessTokenRevoke: write(signedIn(), 'POST /api/user/tokens/revoke', '撤销访问令牌', {
    input: byId,
    refusals: ['ACCESS_TOKEN_NOT_FOUND'],
    writes: [],
  }),
  emailSet: write(signedIn(), 'POST /api/user/email', '设置邮箱，发一封确认邮件', {
    description: WITH_CODE,
    input: z.object({ email: emailField, ...proof }),
    refusals: [...PROOF_REFUSALS, 'MAIL_OFF', 'MAIL_FAILED'],
    writes: [],
  }),
  emailRemove: write(signedIn(), 'POST /api/user/email/remove', '移除邮箱', {
    description: WITH_CODE,
    input: withProof,
    refusals: PROOF_REFUSALS,
    writes: [],
  }),
  emailVerify: write(open(), 'POST /api/user/email/verify', '用邮件里的链接确认邮箱', {
    input: z.object({ token: secret('请用邮件里完整的链接打开').meta({ title: '链接里 # 后面的部分' }) }),
    output: z.object({ email: string('邮箱') }),
    refusals: ['LINK_OVER', 'EMAIL_TAKEN'],
    writes: [],
  }),
  exportBegin: write(signedIn(), 'POST /api/user/export', '下载自己的全部内容', {
    description: '得到的网址两分钟内可以用一次，是一个 zip 文件。',
    output: z.object({ url: string('网址') }),
    writes: [],
    isOptional: true,
  }),
  accountClose: write(signedIn(), 'POST /api/user/close', '注销账号', {
    description:
      '有验证过的邮箱时，七天后才注销，邮件里的链接可以撤销，也可以马上注销；没有时马上注销，不能撤销。',
    input: z.object({
      password: knownPassword,
      contents: z
        .enum(['keep', 'remove'], { error: '请选择文章和评论怎么办' })
        .meta({ title: '公开的内容留下还是删除' }),
    }),
    refusals: [...PASSWORD_REFUSALS, 'STAFF_CANNOT_LEAVE'],
    writes: [],
  }),
  accountKeep: write(signedIn(), 'POST /api/user/close/stop', '撤销注销账号', {
    refusals: ['LINK_OVER'],
    writes: [],
    isOptional: true,
  }),
  accountCloseDecide: write(
    open(),
    'POST /api/user/close/decide',
    '用邮件里的链接撤销注销账号，或者马上注销',
    {
      input: z.object({
        token: secret('请用邮件里完整的链接打开').meta({ title: '链接里 # 后面的部分' }),
        action: z
          .enum(['stop', 'now'], { error: '请选择撤销还是马上删除' })
          .meta({ title: '撤销还是马上注销' }),
      }),
      refusals: ['LINK_OVER', 'STAFF_CANNOT_LEAVE'],
      writes: [],
      isOptional: true,
    },
  ),
};
