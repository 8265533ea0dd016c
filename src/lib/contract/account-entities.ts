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

/** What keeps one's own account safe. */
export const Safety = z.object({
  has_totp: z.boolean(),
  /** Recovery codes that are not used up. */
  recovery_codes: z.int(),
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
