import { randomBytes } from 'node:crypto';
import { toSimplified } from '../text/simplified.ts';
import { skeletonsOf } from './skeletons.ts';

const BUILT_IN = [
  'admin',
  'administrator',
  'root',
  'system',
  'official',
  'support',
  'staff',
  'moderator',
  'webmaster',
  'postmaster',
  'moye',
  '墨页',
  '站长',
  '站务',
  '管理员',
  '系统',
  '系统管理员',
  '官方',
  '客服',
  '编辑部',
];

const CLOSED_PREFIX = '已注销';

/** Whether a name is, or looks like, a reserved one; `names` are the operator's own. */
export function isReserved(username: string, names: readonly string[]): boolean {
  if (looksClosed(username)) return true;
  const keys = keysOf(username);
  return [...BUILT_IN, ...names].some((name) => {
    const kept = keysOf(name);
    return keys.some((key) => kept.includes(key));
  });
}

export const looksClosed = (username: string): boolean =>
  keysOf(username).some((key) => key.startsWith(CLOSED_PREFIX));

export const closedName = (): string => `${CLOSED_PREFIX}-${randomBytes(4).toString('hex')}`;

/** Returns the visual forms of a name: its skeletons in simplified characters, without `_` and `-`. */
function keysOf(name: string): string[] {
  const { folded, written } = skeletonsOf(name);
  return [folded, written].map((skeleton) => toSimplified(skeleton).replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
}
