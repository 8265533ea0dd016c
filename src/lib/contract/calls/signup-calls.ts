import { z } from 'zod';
import { PasskeyAnswer, PasskeyOptions } from '../account-entities.ts';
import { byId, open, passwordsDiffer, read, staff, write } from './call.ts';
import {
  code,
  firstCredentials,
  isPasswordRepeated,
  isTypedTwice,
  knownPassword,
  newPassword,
  secret,
  SIGNUP_REFUSALS,
  ticket,
} from './credentials.ts';
import { TokenPair } from '../entities.ts';
import { absentField, bioField, genderField, textField, wholeField } from '../fields.ts';
import { checkField, WorkToDo } from '../human-check.ts';
import { SIGNUP_MODE_NAMES } from '../rules/site-rules.ts';
import { boolean, choice, int, namesOf, string, strings } from '../titled.ts';

export const Invitation = z.object({
  id: string('编号'),
  code: string('验证码，或一个恢复码'),
  note: string('说明'),
  most_uses: int('可用的次数'),
  uses: int('用过几次'),
  end_time: string('失效的时间'),
  create_time: string('新建的时间'),
  /** Username of the creator; the empty string for the command line or a deleted account. */
  creator: string('新建的人'),
  guests: strings('用它注册的账号'),
  is_good: boolean('还能不能用'),
});
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z.object({
  uses: wholeField('可用次数', 1000),
  days: wholeField('有效天数', 365),
  note: textField('备注', [0, 60]).default(''),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

export const signInCalls = {
  signup: write(open(), 'POST /api/signup', '注册', {
    input: z
      .object({
        ...firstCredentials,
        gender: absentField(genderField.default('x')),
        bio: absentField(bioField.default('')),
        invite: absentField(textField('邀请码', [0, 40]).default('')),
        check: checkField,
      })
      .refine(isPasswordRepeated, passwordsDiffer)
      .transform((body) => {
        const { repassword: _, ...account } = body;
        return account;
      }),
    output: TokenPair,
    refusals: [
      ...SIGNUP_REFUSALS,
      'SIGNUP_CLOSED',
      'SSO_ONLY',
      'INVITATION_REQUIRED',
      'INVITATION_INVALID',
      'CHECK_NEEDED',
      'CHECK_FAILED',
    ],
    writes: ['user.username', 'user.bio'],
  }),
  signupMode: read(open(), 'POST /api/signup/mode', '怎样可以注册', {
    output: z.object({
      mode: choice('方式', namesOf(SIGNUP_MODE_NAMES)),
      check: boolean('人机验证'),
    }),
  }),
  humanCheck: write(open(), 'POST /api/check', '取一道人机验证的题', {
    description: '站长要求时，注册和评论要在 check 里附上答案。',
    output: WorkToDo,
    writes: [],
  }),
  signin: write(open(), 'POST /api/signin', '用密码登录', {
    description:
      '开启了两步验证的账号得到 SECOND_FACTOR_REQUIRED 和 ticket，再用 signinFinish 登录。脚本请用访问令牌。',
    input: z.object({
      username: z
        .string({ error: '请填写用户名' })
        .trim()
        .min(1, '请填写用户名')
        .max(200, '用户名应为 2–20 个字符')
        .meta({ title: '用户名' }),
      password: knownPassword.meta({ title: '密码' }),
    }),
    output: TokenPair,
    refusals: ['SIGNIN_FAILED', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_BANNED', 'SSO_ONLY'],
    writes: [],
  }),
  signinFinish: write(open(), 'POST /api/signin/second', '用验证码完成登录', {
    input: z.object({ ticket, code }),
    output: TokenPair,
    refusals: ['TICKET_OVER', 'CODE_WRONG', 'ACCOUNT_BANNED'],
    writes: [],
  }),
  passkeyAsk: read(open(), 'POST /api/signin/passkey/options', '取用通行密钥登录的参数', {
    output: PasskeyOptions,
  }),
  passkeySignin: write(open(), 'POST /api/signin/passkey', '用通行密钥登录', {
    input: z.object({ response: PasskeyAnswer }),
    output: TokenPair,
    refusals: ['PASSKEY_UNUSABLE', 'TICKET_OVER', 'ACCOUNT_BANNED', 'SSO_ONLY'],
    writes: [],
  }),
  refreshToken: read(open(), 'GET /api/signin/refreshToken', '换一对新的登录令牌', {
    description: 'Authorization 里写 refresh_token。',
    output: TokenPair,
    refusals: ['SIGNIN_REQUIRED'],
  }),
  signout: write(open(), 'POST /api/signout', '退出登录', { writes: [] }),
  passwordForgot: write(open(), 'POST /api/signin/forgot', '忘记密码：发一封重设密码的邮件', {
    description: '账号存在与否，回答都一样。',
    input: z.object({
      account: z
        .string({ error: '请填写用户名或邮箱' })
        .trim()
        .min(1, '请填写用户名或邮箱')
        .max(254, '请填写用户名或邮箱')
        .refine((value) => !value.includes('\0'), '请填写用户名或邮箱')
        .meta({ title: '用户名或邮箱' }),
    }),
    refusals: ['MAIL_OFF', 'SSO_ONLY'],
    writes: [],
  }),
  passwordReset: write(open(), 'POST /api/signin/reset', '用邮件里的链接重设密码', {
    input: z
      .object({ token: secret('请用完整的链接打开').meta({ title: '链接里 # 后面的部分' }), ...newPassword })
      .refine(isTypedTwice, passwordsDiffer),
    refusals: ['LINK_OVER'],
    writes: [],
  }),
};

export const invitationCalls = {
  invitationList: read(staff('invitations.manage'), 'POST /api/staff/invitations', '邀请码', {
    output: z.array(Invitation),
  }),
  invitationAdd: write(staff('invitations.manage'), 'POST /api/staff/invitation/add', '新建邀请码', {
    input: NewInvitation,
    output: Invitation,
  }),
  invitationEnd: write(staff('invitations.manage'), 'POST /api/staff/invitation/end', '停用邀请码', {
    input: byId,
    refusals: ['INVITATION_NOT_FOUND'],
  }),
};
