import { refuse } from '../contract/errors.ts';

/** A ban as the row of an account has it. */
export interface Ban {
  /** Milliseconds since the epoch; null where there never was one. */
  bannedUntil: number | null;
  banReason: string;
}

/** The end of a ban for good: the last millisecond there is. */
export const FOR_GOOD = 8_640_000_000_000_000;

/** Whether a ban holds at `instant` (milliseconds): its end is all that has to be known. */
export const isBanned = ({ bannedUntil }: Pick<Ban, 'bannedUntil'>, instant: number): boolean =>
  bannedUntil !== null && bannedUntil > instant;

/** What whoever is banned is told: until when, and why. */
export function banText({ bannedUntil, banReason }: Ban, timeZone: string): string {
  const time = new Intl.DateTimeFormat('zh-CN', { timeZone, dateStyle: 'long', timeStyle: 'short' });
  const span =
    bannedUntil === null || bannedUntil >= FOR_GOOD ? '永久封禁' : `封禁到 ${time.format(bannedUntil)}`;
  return `这个账号已被${span}，原因：${banReason}`;
}

/** Refuses with ACCOUNT_BANNED whoever is banned at `instant`, in a sentence. */
export function refuseBanned(ban: Ban, instant: number, timeZone: string): void {
  if (isBanned(ban, instant)) refuse('ACCOUNT_BANNED', { text: banText(ban, timeZone) });
}

/** Note of what a ban hides, by which the end of the ban finds it. */
export const HIDDEN_BY_BAN = '账号被封禁期间隐藏';
