import { isStaff, type Role } from './permissions.ts';
import type { RouteName } from './routes.ts';

interface ScopeRule {
  label: string;
  /** Whether only staff may choose it. */
  isForStaff?: true;
  calls: readonly RouteName[];
}

/**
 * Scopes of access tokens, each with the calls that it allows, within the rights of the token's account. To
 * any other call the token's bearer is a visitor: public calls answer what visitors see, calls that require a
 * sign-in refuse with SCOPE_MISSING. Calls in no scope are closed to tokens: account security, tokens, roles,
 * exports, e-mail addresses, invitations, changes of settings.
 */
export const SCOPES = {
  'articles:read': {
    label: '读自己的文章、草稿和专栏',
    calls: [
      'articleList',
      'articleDetail',
      'articleSource',
      'ownArticleList',
      'trashList',
      'scheduleFind',
      'versionList',
      'versionFind',
      'articleReview',
      'tagDetail',
      'allTags',
      'seriesList',
      'seriesDetail',
    ],
  },
  'articles:write': {
    label: '写、发布和删除自己的文章、专栏',
    calls: [
      'articleCreate',
      'articleEdit',
      'articleDelete',
      'articleSettings',
      'articleResubmit',
      'revisionSave',
      'revisionDelete',
      'trashRestore',
      'trashPurge',
      'trashEmpty',
      'scheduleSet',
      'scheduleCancel',
      'tagCreate',
      'seriesCreate',
      'seriesEdit',
      'seriesOrder',
      'seriesDelete',
      'pictureReplace',
    ],
  },
  'comments:read': {
    label: '读收到的和自己写的评论',
    calls: ['articleComments', 'userComments', 'unreadNum'],
  },
  'comments:write': {
    label: '发表、修改和删除评论，标记已读',
    calls: ['commentCreate', 'commentEdit', 'commentDelete', 'readComments'],
  },
  'pictures:write': {
    label: '上传、查看和删除自己的图片',
    calls: ['uploadImage', 'fetchImage', 'pictureList', 'pictureDelete'],
  },
  'profile:read': {
    label: '读自己的资料和统计',
    calls: ['getUserInfo', 'statistics'],
  },
  moderation: {
    label: '审核内容，处理举报、词语、标签和用户',
    isForStaff: true,
    calls: [
      'staffUsers',
      'userBan',
      'userUnban',
      'staffProfile',
      'profileRemove',
      'staffArticles',
      'articlePin',
      'articleUnpin',
      'staffComments',
      'staffReports',
      'reportDecide',
      'wordList',
      'wordAdd',
      'wordImport',
      'wordExport',
      'wordTrial',
      'wordPreview',
      'wordRemove',
      'heldList',
      'changeDecide',
      'staffRead',
      'articleModerate',
      'commentModerate',
      'staffTags',
      'tagRename',
      'tagMerge',
      'tagDescribe',
      'tagDelete',
    ],
  },
  'site:read': {
    label: '读网站的概况、设置和操作记录',
    isForStaff: true,
    calls: ['staffOverview', 'siteOptions', 'siteIdentity', 'noticeOverview', 'auditList', 'auditExport'],
  },
} as const satisfies Readonly<Record<`${string}:${string}` | 'moderation', ScopeRule>>;

export const MAX_ACCESS_TOKEN_DAYS = 365;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]];

const scopes: ReadonlyMap<RouteName, Scope> = new Map(
  SCOPE_NAMES.flatMap((scope) => SCOPES[scope].calls.map((call): [RouteName, Scope] => [call, scope])),
);

/** The scope that a call requires of a token; null if a token has no effect on it. */
export const scopeOf = (call: RouteName): Scope | null => scopes.get(call) ?? null;

/** Scopes that an account may give to its tokens. */
export const scopesFor = (role: Role | null | undefined): Scope[] =>
  SCOPE_NAMES.filter((scope) => isStaff(role) || !('isForStaff' in SCOPES[scope]));
