import type { Permission } from '../contract/permissions.ts';

/** A page of the site. What is not said of it, it is not. */
export interface SitePage {
  /** Its addresses as `URLPattern` writes them: `:name` is one part, `:name*` any number, `:name+` some. */
  readonly path: string;
  /** Whether visitors' copies may be kept; the page then names its tags with `Astro.locals.keep`. */
  readonly isKept?: true;
  /** Whether `?sort=` chooses what it shows (readOrder in components/urls.ts). */
  readonly hasOrder?: true;
  /** Whether a browser may fetch it before its link is followed: a visit changes nothing. */
  readonly isPrefetched?: true;
  /** Whether it is for programs: its address has no query. */
  readonly isDocument?: true;
  /** Whether it is of use to signed-in readers alone. */
  readonly isForSignedIn?: true;
  /** What a reader's role has to allow; to others it is not there. */
  readonly permission?: Permission;
  /** What the navigation calls it. */
  readonly section?: string;
  /** What the pages of what one has written call it among themselves. */
  readonly ownSection?: string;
  /** What the console calls it. */
  readonly staffSection?: string;
}

const PUBLIC = { isKept: true, isPrefetched: true } as const;
const DOCUMENT = { isKept: true, isDocument: true } as const;

/** Every page, once (DESIGN.md §4), for cache, prefetching and navigation; a test compares src/pages. */
export const sitePages: readonly SitePage[] = [
  { path: '/', isPrefetched: true },
  { path: '/home/:keywords*', ...PUBLIC, section: '首页' },
  { path: '/tag/list', ...PUBLIC, section: '标签' },
  { path: '/tag/detail/:tag*', ...PUBLIC },
  // What readers have said to the author, and the author to them.
  { path: '/comment/list', isForSignedIn: true, section: '留言' },
  { path: '/lab/list', ...PUBLIC, section: '实验室' },
  { path: '/lab/cup', ...PUBLIC },
  { path: '/changelog', ...PUBLIC, section: '更新日志' },
  { path: '/detail' },
  { path: '/detail/:id', ...PUBLIC, hasOrder: true },
  // A comment: leads to the page of the thread that it is on.
  { path: '/detail/:id/comment/:comment' },
  // A fresh copy: the way around every cache.
  { path: '/detail/:id/:refresh+' },
  { path: '/user/info/:name*', ...PUBLIC },
  { path: '/series/:id', ...PUBLIC },
  { path: '/archive', ...PUBLIC },
  { path: '/archive/:year/:month*', ...PUBLIC },
  { path: '/archive/user/:name*', ...PUBLIC },
  { path: '/user/list', isForSignedIn: true, ownSection: '文章' },
  { path: '/user/draft', isForSignedIn: true, ownSection: '草稿' },
  { path: '/user/series', isForSignedIn: true, ownSection: '专栏' },
  { path: '/user/pictures', isForSignedIn: true, ownSection: '图片' },
  { path: '/user/trash', isForSignedIn: true, ownSection: '回收站' },
  { path: '/user/settings', isForSignedIn: true, ownSection: '设置' },
  { path: '/write', isForSignedIn: true },
  { path: '/edit/:id', isForSignedIn: true },
  { path: '/admin', isForSignedIn: true, permission: 'console.open', staffSection: '概览' },
  { path: '/admin/held', isForSignedIn: true, permission: 'comments.moderate', staffSection: '审核' },
  { path: '/admin/comments', isForSignedIn: true, permission: 'comments.moderate', staffSection: '评论' },
  { path: '/admin/articles', isForSignedIn: true, permission: 'articles.moderate', staffSection: '文章' },
  { path: '/admin/reports', isForSignedIn: true, permission: 'reports.decide', staffSection: '举报' },
  { path: '/admin/users', isForSignedIn: true, permission: 'users.read', staffSection: '用户' },
  { path: '/admin/signup', isForSignedIn: true, permission: 'invitations.manage', staffSection: '注册' },
  { path: '/admin/tags', isForSignedIn: true, permission: 'tags.manage', staffSection: '标签' },
  { path: '/admin/words', isForSignedIn: true, permission: 'words.manage', staffSection: '词库' },
  { path: '/admin/notices', isForSignedIn: true, permission: 'notices.manage', staffSection: '通知' },
  { path: '/admin/options', isForSignedIn: true, permission: 'options.read', staffSection: '设置' },
  { path: '/admin/audit', isForSignedIn: true, permission: 'audit.read', staffSection: '操作记录' },
  { path: '/report', isForSignedIn: true },
  // Makes the first operator.
  { path: '/setup' },
  { path: '/signin' },
  { path: '/signup' },
  // Ends a reader's mails.
  { path: '/unsubscribe' },
  { path: '/forgot' },
  // Where links in mails lead; what is secret of them stands behind `#`, which no server sees.
  { path: '/reset' },
  { path: '/verify' },
  { path: '/404' },
  { path: '/detail/:id.md', ...DOCUMENT },
  { path: '/feed.xml', ...DOCUMENT },
  { path: '/atom.xml', ...DOCUMENT },
  { path: '/feed.json', ...DOCUMENT },
  { path: '/feed/:kind/:name/:file', ...DOCUMENT },
  // The sheet that browsers show them by.
  { path: '/feed.css', ...DOCUMENT },
  { path: '/sitemap.xml', ...DOCUMENT },
  { path: '/sitemap/:name.xml', ...DOCUMENT },
  { path: '/robots.txt', ...DOCUMENT },
  { path: '/llms.txt', ...DOCUMENT },
  // What a browser may fetch before a click (src/layouts/speculation-rules.ts).
  { path: '/speculation-rules.json', ...DOCUMENT },
  // The key of IndexNow.
  { path: '/:key.txt', ...DOCUMENT },
];

/** A section of the site, as the navigation shows it. */
export interface Section {
  href: string;
  text: string;
  /** How the paths of its pages begin. */
  under: string;
}

/** The navigation. */
export const sections: readonly Section[] = sitePages.flatMap(({ path, section }) => {
  const href = path.replace(/\/:.*/, '');
  return section === undefined ? [] : [{ href, text: section, under: `/${href.split('/')[1]}` }];
});

/** The pages of what one has written oneself. */
export const ownSections: readonly { href: string; text: string }[] = sitePages.flatMap(
  ({ path, ownSection }) => (ownSection === undefined ? [] : [{ href: path, text: ownSection }]),
);

/** The pages of the console, each with what it asks of whoever opens it. */
export const staffSections: readonly { href: string; text: string; permission: Permission }[] =
  sitePages.flatMap(({ path, staffSection, permission }) =>
    staffSection === undefined || permission === undefined
      ? []
      : [{ href: path, text: staffSection, permission }],
  );
