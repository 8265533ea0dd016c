import { z } from 'zod';

/** CONTRACT.md "Safety of accounts". */
const instant = z.iso.datetime();

/** A sign-in of one's own. */
export const Device = z.object({
  id: z.string(),
  /** What the device calls itself: `Windows 上的 Chrome`; the empty string where it does not. */
  name: z.string(),
  create_time: instant,
  /** To the hour. */
  last_used: instant,
  /** The one that asks. */
  is_current: z.boolean(),
});
export type Device = z.infer<typeof Device>;

export const Passkey = z.object({
  id: z.string(),
  /** As its user calls it. */
  name: z.string(),
  create_time: instant,
  last_used: instant,
});
export type Passkey = z.infer<typeof Passkey>;

/** What WebAuthn's `navigator.credentials` is asked with, as its JSON. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

const base64url = z.string().regex(/^[\w-]{1,2000}$/);

/** What a device answers, as WebAuthn's JSON: an object, or its text where a form carries it. */
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

/** What keeps one's own account safe. */
export const Safety = z.object({
  has_totp: z.boolean(),
  /** Recovery codes that are not used up. */
  recovery_codes: z.int(),
  /** Whether the operator asks for a second step, which is not there yet: calls of staff wait for it. */
  needs_totp: z.boolean(),
  passkeys: z.array(Passkey),
  /** Whether the site's address is one that passkeys can be for. */
  can_use_passkeys: z.boolean(),
  /** Verified; the empty string for none. */
  email: z.string(),
  /** Whether the site can send mail. */
  can_mail: z.boolean(),
});
export type Safety = z.infer<typeof Safety>;

/** What an app for codes is set up with. */
export const TotpSetup = z.object({
  /** To be sent back with the first code. */
  ticket: z.string(),
  /** Base32, to be typed where no picture can be read. */
  secret: z.string(),
  /** `otpauth://…`, what the picture says. */
  uri: z.string(),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

/** Shown once: what is stored are hashes. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;
