import { randomBytes } from 'node:crypto';
import { toSimplified } from '../simplified.ts';
import { skeletonsOf } from './skeletons.ts';

/** Names that readers would take for the site's own voice. */
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

/** Beginning of the names that closed accounts are given. */
const CLOSED_PREFIX = '已注销';

/** Whether a name is, or looks like, one that is kept for the site; `names` are the operator's own. */
export function isReserved(username: string, names: readonly string[]): boolean {
  if (looksClosed(username)) return true;
  const keys = keysOf(username);
  return [...BUILT_IN, ...names].some((name) => {
    const kept = keysOf(name);
    return keys.some((key) => kept.includes(key));
  });
}

/** Whether a name looks like the name of a closed account. */
export const looksClosed = (username: string): boolean =>
  keysOf(username).some((key) => key.startsWith(CLOSED_PREFIX));

/** The name that a closed account is given. */
export const closedName = (): string => `${CLOSED_PREFIX}-${randomBytes(4).toString('hex')}`;

/** How a name reads: its skeletons in simplified characters, without `_` and `-`. */
function keysOf(name: string): string[] {
  const { folded, written } = skeletonsOf(name);
  return [folded, written].map((skeleton) => toSimplified(skeleton).replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
}
