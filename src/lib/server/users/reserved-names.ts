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

/** Whether a name is, or looks like, one that is kept for the site; `names` are the operator's own. */
export function isReserved(username: string, names: readonly string[]): boolean {
  const { folded, written } = skeletonsOf(username);
  return [...BUILT_IN, ...names].some((name) => {
    const kept = skeletonsOf(name);
    return kept.folded === folded || kept.written === written;
  });
}
