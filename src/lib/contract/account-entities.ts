import { z } from 'zod';
import { boolean, instant, int, list, string, strings } from './titled.ts';
import { SCOPE_NAMES } from './rules/scopes.ts';

export const Device = z.object({
  id: string('编号'),
  /** Name derived from the device, such as `Windows 上的 Chrome`; the empty string if unknown. */
  name: string('名字'),
  create_time: instant('新建的时间'),
  /** Precise to the hour. */
  last_used: instant('最近一次使用'),
  is_current: boolean('是不是这台设备'),
});
export type Device = z.infer<typeof Device>;

export const Passkey = z.object({
  id: string('编号'),
  name: string('名字'),
  create_time: instant('新建的时间'),
  last_used: instant('最近一次使用'),
});
export type Passkey = z.infer<typeof Passkey>;

/** JSON for WebAuthn's `navigator.credentials`. */
export const PasskeyOptions = z.looseObject({ challenge: string('一次有效的随机数') });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

const base64url = z.string().regex(/^[\w-]{1,2000}$/);

/** A device's response in WebAuthn's JSON: an object, or its text if a form field carries it. */
export const PasskeyAnswer = z.preprocess(
  (value): unknown => {
    try {
      return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
    } catch {
      return undefined;
    }
  },
  z
    .looseObject(
      {
        id: base64url.meta({ title: '编号' }),
        rawId: base64url.meta({ title: '通行密钥的编号' }),
        type: z.literal('public-key'),
        response: z.looseObject({}).meta({ title: '设备的回答，WebAuthn 的 JSON' }),
      },
      { error: '通行密钥的回答不完整' },
    )
    .meta({ title: '设备的回答，WebAuthn 的 JSON' }),
);
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** A way to sign in at an identity provider. `provider` is '' if the site no longer offers it. */
export const Identity = z.object({
  id: string('编号'),
  provider: string('登录方式的 id，本站已停用的为空'),
  label: string('名称'),
  /** Name at the provider, or the empty string. */
  name: string('名字'),
  create_time: instant('新建的时间'),
  last_used: instant('最近一次使用'),
});
export type Identity = z.infer<typeof Identity>;

export const Safety = z.object({
  has_totp: boolean('开启了两步验证没有'),
  recovery_codes: int('还有几个恢复码'),
  /**
   * Whether the operator requires two-step verification and the caller has not set it up; staff calls are
   * refused until then.
   */
  needs_totp: boolean('是不是要先开启两步验证'),
  passkeys: list('通行密钥', Passkey),
  can_use_passkeys: boolean('网站能不能用通行密钥'),
  /** Verified address, or the empty string. */
  email: string('邮箱'),
  can_mail: boolean('网站能不能发邮件'),
  /** Without a password, a recent sign-in replaces it wherever one is needed. */
  has_password: boolean('有没有设置密码'),
  identities: list('绑定的登录方式', Identity),
  /** Time at which the account will be closed; null if it stays. */
  closing_time: z.iso.datetime().nullable().meta({ title: '账号什么时候删除' }),
});
export type Safety = z.infer<typeof Safety>;

export const TotpSetup = z.object({
  /** To be sent back with the first code. */
  ticket: string('继续要用的编号'),
  secret: string('给验证器应用的密钥'),
  uri: string('给验证器应用的网址'),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

/** Shown only once, because the server stores hashes. */
export const RecoveryCodes = z.object({ codes: strings('恢复码，只显示这一次') });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** An access token without its secret. */
export const AccessToken = z.object({
  id: string('编号'),
  name: string('名字'),
  scopes: list('权限', z.enum(SCOPE_NAMES)),
  create_time: instant('新建的时间'),
  expire_time: instant('失效的时间'),
  /** Precise to the hour; null if it was never used. */
  last_used: z.iso.datetime().nullable().meta({ title: '最近一次使用' }),
  /** Client address of that use. */
  last_address: string('最近一次使用的地址'),
});
export type AccessToken = z.infer<typeof AccessToken>;
