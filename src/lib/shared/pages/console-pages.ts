import type { Permission } from '../../contract/rules/permissions.ts';

interface ConsolePage {
  /** Permission needed to open it. */
  readonly permission: Permission;
  /** Its heading, title and label in the navigation. */
  readonly title: string;
  /** The count that the navigation shows next to the label. */
  readonly badge?: 'held' | 'reports';
}

const PAGES = {
  '/admin': { permission: 'console.open', title: '概览' },
  '/admin/held': { permission: 'comments.moderate', title: '审核', badge: 'held' },
  '/admin/comments': { permission: 'comments.moderate', title: '评论' },
  '/admin/articles': { permission: 'articles.moderate', title: '文章' },
  '/admin/reports': { permission: 'reports.decide', title: '举报', badge: 'reports' },
  '/admin/users': { permission: 'users.read', title: '用户' },
  '/admin/signup': { permission: 'invitations.manage', title: '注册' },
  '/admin/tags': { permission: 'tags.manage', title: '标签' },
  '/admin/words': { permission: 'words.manage', title: '词库' },
  '/admin/notices': { permission: 'notices.manage', title: '通知' },
  '/admin/options': { permission: 'options.read', title: '设置' },
  '/admin/audit': { permission: 'audit.read', title: '操作记录' },
} as const satisfies Record<`/admin${string}`, ConsolePage>;

export type ConsolePath = keyof typeof PAGES;

/** Pages of the console by path, in the order of its navigation. */
export const CONSOLE_PAGES: Readonly<Record<ConsolePath, ConsolePage>> = PAGES;
