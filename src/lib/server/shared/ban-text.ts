import { refuse } from '../../contract/rules/errors.ts';

export interface Ban {
  /** Milliseconds since the epoch; null if never banned. */
  bannedUntil: number | null;
  banReason: string;
}

/** End of a permanent ban: the largest valid Date. */
export const PERMANENT_BAN_TIME = 8_640_000_000_000_000;

export const isBanned = ({ bannedUntil }: Pick<Ban, 'bannedUntil'>, instant: number): boolean =>
  bannedUntil !== null && bannedUntil > instant;

export function banSpan(until: number | null, timeZone: string): string {
  if (until === null || until >= PERMANENT_BAN_TIME) return '永久封禁';
  const time = new Intl.DateTimeFormat('zh-CN', { timeZone, dateStyle: 'long', timeStyle: 'short' });
  return `封禁到 ${time.format(until)}`;
}

const banText = ({ bannedUntil, banReason }: Ban, timeZone: string): string =>
  `这个账号已被${banSpan(bannedUntil, timeZone)}，原因：${banReason}`;

/** Refuses with ACCOUNT_BANNED if the ban is active at `instant`. */
export function refuseBanned(ban: Ban, instant: number, timeZone: string): void {
  if (isBanned(ban, instant)) refuse('ACCOUNT_BANNED', { text: banText(ban, timeZone) });
}

/** Reason that authors see for content hidden by a ban. */
export const HIDDEN_BY_BAN = '账号被封禁期间隐藏';
