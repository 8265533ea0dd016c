import { z } from 'zod';
import { SCOPE_NAMES } from './rules/scopes.ts';

const instant = z.iso.datetime();

export const Device = z.object({
  id: z.string(),
  /** Name derived from the device, such as `Windows 上的 Chrome`; the empty string if unknown. */
  name: z.string(),
  create_time: instant,
  /** Precise to the hour. */
  last_used: instant,
  is_current: z.boolean(),
});
export type Device = z.infer<typeof Device>;

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  create_time: instant,
  last_used: instant,
});
export type Passkey = z.infer<typeof Passkey>;

/** JSON for WebAuthn's `navigator.credentials`. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
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
  z.looseObject(
    { id: base64url, rawId: base64url, type: z.literal('public-key'), response: z.looseObject({}) },
    { error: '通行密钥的回答不完整' },
  ),
);
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** A way to sign in at an identity provider. `provider` is '' if the site no longer offers it. */
export const Identity = z.object({
  id: z.string(),
  provider: z.string(),
  label: z.string(),
  /** Name at the provider, or the empty string. */
  name: z.string(),
  create_time: instant,
  last_used: instant,
});
export type Identity = z.infer<typeof Identity>;

export const Safety = z.object({
  has_totp: z.boolean(),
  recovery_codes: z.int(),
  /**
   * Whether the operator requires two-step verification and the caller has not set it up; staff calls are
   * refused until then.
   */
  needs_totp: z.boolean(),
  passkeys: z.array(Passkey),
  can_use_passkeys: z.boolean(),
  /** Verified address, or the empty string. */
  email: z.string(),
  can_mail: z.boolean(),
  /** Without a password, a recent sign-in replaces it wherever one is needed. */
  has_password: z.boolean(),
  identities: z.array(Identity),
});
export type Safety = z.infer<typeof Safety>;

export const TotpSetup = z.object({
  /** To be sent back with the first code. */
  ticket: z.string(),
  secret: z.string(),
  uri: z.string(),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

/** Shown only once, because the server stores hashes. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** An access token without its secret. */
export const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPE_NAMES)),
  create_time: instant,
  expire_time: instant,
  /** Precise to the hour; null if it was never used. */
  last_used: instant.nullable(),
  /** Client address of that use. */
  last_address: z.string(),
});
export type AccessToken = z.infer<typeof AccessToken>;
