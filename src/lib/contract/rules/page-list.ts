import { API_DOCS_PATH } from './paths.ts';
import type { Permission } from './permissions.ts';

interface ConsolePage {
  /** Permission needed to open it. */
  readonly permission: Permission;
  /** Its title and label in the navigation. */
  readonly title: string;
  /** The count that the navigation shows next to the label. */
  readonly badge?: 'held' | 'reports' | 'friends';
  /** Whether it is a section of the settings, which share one entry of the navigation. */
  readonly isSettings?: true;
}

const SETTINGS = { permission: 'options.read', isSettings: true } as const;

const PAGES = {
  '/admin': { permission: 'console.open', title: '概览' },
  '/admin/start': { permission: 'options.change', title: '开始' },
  '/admin/held': { permission: 'comments.moderate', title: '审核', badge: 'held' },
  '/admin/reports': { permission: 'reports.decide', title: '举报', badge: 'reports' },
  '/admin/articles': { permission: 'articles.moderate', title: '文章' },
  '/admin/pages': { permission: 'pages.manage', title: '页面' },
  '/admin/comments': { permission: 'comments.moderate', title: '评论' },
  '/admin/tags': { permission: 'tags.manage', title: '标签' },
  '/admin/friends': { permission: 'friends.manage', title: '友链', badge: 'friends' },
  '/admin/words': { permission: 'words.manage', title: '词库' },
  '/admin/users': { permission: 'users.read', title: '用户' },
  '/admin/audit': { permission: 'audit.read', title: '操作记录' },
  '/admin/look': { permission: 'options.change', title: '外观' },
  '/admin/options': { ...SETTINGS, title: '网站' },
  '/admin/options/nav': { ...SETTINGS, title: '导航' },
  '/admin/signup': { ...SETTINGS, permission: 'invitations.manage', title: '注册' },
  '/admin/options/review': { ...SETTINGS, title: '审核' },
  '/admin/options/duties': { ...SETTINGS, title: '平台责任' },
  '/admin/options/mail': { ...SETTINGS, permission: 'settings.change', title: '邮件' },
  '/admin/options/search': { ...SETTINGS, permission: 'settings.change', title: '搜索引擎' },
  '/admin/options/providers': { ...SETTINGS, permission: 'settings.change', title: '登录方式' },
  '/admin/options/pictures': { ...SETTINGS, permission: 'settings.change', title: '图片存储' },
  '/admin/options/backup': { ...SETTINGS, permission: 'settings.change', title: '备份' },
  '/admin/notices': { ...SETTINGS, permission: 'notices.manage', title: '通知' },
} as const satisfies Record<`/admin${string}`, ConsolePage>;

export type ConsolePath = keyof typeof PAGES;

/** Pages of the console by path; sections of the settings in the order of their list. */
export const CONSOLE_PAGES: Readonly<Record<ConsolePath, ConsolePage>> = PAGES;

/** Groups of the console's navigation. */
export const CONSOLE_GROUPS: readonly { readonly name: string; readonly paths: readonly ConsolePath[] }[] = [
  { name: '总览', paths: ['/admin/start', '/admin'] },
  { name: '待办', paths: ['/admin/held', '/admin/reports'] },
  {
    name: '内容',
    paths: [
      '/admin/articles',
      '/admin/pages',
      '/admin/comments',
      '/admin/tags',
      '/admin/friends',
      '/admin/words',
    ],
  },
  { name: '人员', paths: ['/admin/users', '/admin/audit'] },
  { name: '网站', paths: ['/admin/look', '/admin/options'] },
];

/** A page of the site; omitted flags are false. */
export interface SitePage {
  /** Path in `URLPattern` syntax: `:name` is one segment, `:name*` zero or more, `:name+` one or more. */
  readonly path: string;
  /** Whether visitors may get a cached copy; the page then calls `Astro.locals.setCacheTags`. */
  readonly isCached?: true;
  /** Whether `?sort=` changes its content (readOrder in shared/urls.ts). */
  readonly hasOrder?: true;
  /** Whether browsers may prefetch it: a visit has no side effects. */
  readonly isPrefetched?: true;
  /** Whether it is a document for programs; its address has no query. */
  readonly isDocument?: true;
  /** Whether the sitemap lists it; pages with parameters are listed by what they show. */
  readonly isInSitemap?: true;
  readonly isForSignedIn?: true;
  /** Permission needed to open it; to others the page does not exist. */
  readonly permission?: Permission;
  readonly section?: string;
  /** Label in the navigation of an author's own pages. */
  readonly ownSection?: string;
}

const PUBLIC = { isCached: true, isPrefetched: true } as const;
const DOCUMENT = { isCached: true, isDocument: true } as const;

const consolePages = Object.entries(CONSOLE_PAGES).map(
  ([path, { permission }]) => ({ path, isForSignedIn: true, permission }) as const,
);

/**
 * All pages (docs/pages.md), for cache, prefetching and navigation. A test compares the list with src/pages.
 */
export const sitePages: readonly SitePage[] = [
  { path: '/', isPrefetched: true },
  { path: '/home/:keywords*', ...PUBLIC, section: '首页' },
  { path: '/tag/list', ...PUBLIC, section: '标签' },
  { path: '/tag/detail/:tag*', ...PUBLIC },
  { path: '/comment/list', isForSignedIn: true, section: '留言' },
  { path: '/lab/list', ...PUBLIC, isInSitemap: true, section: '实验室' },
  { path: '/lab/cup', ...PUBLIC },
  { path: '/changelog', ...PUBLIC, isInSitemap: true, section: '更新日志' },
  { path: API_DOCS_PATH, isCached: true },
  { path: '/detail' },
  { path: '/detail/:id', ...PUBLIC, hasOrder: true },
  // Redirects to the page of the thread that has the comment.
  { path: '/p/:slug', ...PUBLIC, hasOrder: true },
  { path: '/detail/:id/comment/:comment' },
  // Bypasses every cache.
  { path: '/detail/:id/:refresh+' },
  { path: '/a/:slug', ...PUBLIC, hasOrder: true },
  { path: '/user/info/:name*', ...PUBLIC },
  { path: '/user/activity/:name*', ...PUBLIC },
  { path: '/series/:id', ...PUBLIC },
  { path: '/archive', ...PUBLIC },
  { path: '/archive/:year/:month*', ...PUBLIC },
  { path: '/archive/user/:name*', ...PUBLIC },
  { path: '/friends', ...PUBLIC },
  { path: '/friends/circle/:before*', ...PUBLIC },
  { path: '/user/list', isForSignedIn: true, ownSection: '文章' },
  { path: '/user/draft', isForSignedIn: true, ownSection: '草稿' },
  { path: '/user/series', isForSignedIn: true, ownSection: '专栏' },
  { path: '/user/pictures', isForSignedIn: true, ownSection: '图片' },
  { path: '/user/trash', isForSignedIn: true, ownSection: '回收站' },
  { path: '/user/settings', isForSignedIn: true, ownSection: '设置' },
  { path: '/write', isForSignedIn: true },
  { path: '/edit/:id', isForSignedIn: true },
  ...consolePages,
  { path: '/report' },
  { path: '/setup' },
  { path: '/signin' },
  { path: '/signup' },
  { path: '/signup/name' },
  { path: '/unsubscribe' },
  { path: '/forgot' },
  // Links in mails; the secret follows `#` and is not sent to servers.
  { path: '/reset' },
  { path: '/verify' },
  { path: '/closing' },
  { path: '/404' },
  { path: '/detail/:id.md', ...DOCUMENT },
  { path: '/feed.xml', ...DOCUMENT },
  { path: '/atom.xml', ...DOCUMENT },
  { path: '/feed.json', ...DOCUMENT },
  { path: '/feed/:kind/:name/:file', ...DOCUMENT },
  { path: '/friends/circle.xml', ...DOCUMENT },
  { path: '/friends.opml', ...DOCUMENT },
  { path: '/feed.css', ...DOCUMENT },
  { path: '/sitemap.xml', ...DOCUMENT },
  { path: '/sitemap/:name.xml', ...DOCUMENT },
  { path: '/robots.txt', ...DOCUMENT },
  { path: '/llms.txt', ...DOCUMENT },
  { path: '/rsd.xml', ...DOCUMENT },
  { path: '/speculation-rules.json', ...DOCUMENT },
  // IndexNow key.
  { path: '/:key.txt', ...DOCUMENT },
];

export interface Section {
  href: string;
  text: string;
  /** Path prefix of its pages. */
  under: string;
}

export const sections: readonly Section[] = sitePages.flatMap(({ path, section }) => {
  const href = path.replace(/\/:.*/, '');
  return section === undefined ? [] : [{ href, text: section, under: `/${href.split('/')[1]}` }];
});

export const ownSections: readonly { href: string; text: string }[] = sitePages.flatMap(
  ({ path, ownSection }) => (ownSection === undefined ? [] : [{ href: path, text: ownSection }]),
);
