import { isStaff, type Role } from './permissions.ts';

interface ScopeRule {
  label: string;
  /** Whether only staff may choose it. */
  isForStaff?: true;
}

/**
 * Scopes of access tokens. Each allows the calls that declare it (contract/calls), within the rights of the
 * token's account. To any other call the token's bearer is a visitor: public calls answer what visitors see,
 * calls that require a sign-in refuse with SCOPE_MISSING. Calls without a scope are closed to tokens: account
 * security, tokens, roles, exports, e-mail addresses, invitations, changes of settings.
 */
export const SCOPES = {
  'articles:read': { label: '读自己的文章、草稿和专栏' },
  'articles:write': { label: '写、发布和删除自己的文章、专栏' },
  'comments:read': { label: '读收到的和自己写的评论' },
  'comments:write': { label: '发表、修改和删除评论，标记已读' },
  'pictures:write': { label: '上传、查看和删除自己的图片' },
  'profile:read': { label: '读自己的资料和统计' },
  moderation: {
    label: '审核内容，处理举报、词语、标签和用户',
    isForStaff: true,
  },
  'site:read': {
    label: '读网站的概况、设置和操作记录',
    isForStaff: true,
  },
} as const satisfies Readonly<Record<`${string}:${string}` | 'moderation', ScopeRule>>;

export const MAX_ACCESS_TOKEN_DAYS = 365;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

/** Scopes that an account may give to its tokens. */
export const scopesFor = (role: Role | null | undefined): Scope[] =>
  SCOPE_NAMES.filter((scope) => isStaff(role) || !('isForStaff' in SCOPES[scope]));
