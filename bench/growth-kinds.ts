import {
  archiveUrl,
  articleUrl,
  commentsUrl,
  feedUrl,
  sitemapUrl,
  tagsUrl,
  tagUrl,
  userActivityUrl,
  userArchiveUrl,
  userUrl,
} from '../src/lib/shared/urls.ts';
import { ask, timed, WORDS } from './client.ts';
import type { Served } from './processes.ts';
import { tagName } from './site/people.ts';

/** A server with a generated site, and what the requests need to know of it. */
export interface GrownSite {
  server: Served;
  articles: number;
  /** Ids of public articles of all ages. */
  ids: string[];
  /** An article with a thousand comments. */
  discussed: string;
  /** Phrases that were not searched for before, of this site's articles. */
  phrases: string[];
  /** The operator, who wrote most articles, and an author of about two hundred. */
  operator: Account;
  author: Account;
}

interface Account {
  username: string;
  token: string;
}

/** Sends the `index`-th request of its kind; resolves to the milliseconds until it was answered. */
export type Kind = (site: GrownSite, index: number) => Promise<number>;

const at = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;
const PAGE_SIZE = 10;
const YEARS = [2012, 2015, 2018, 2021, 2024];

const page =
  (path: (site: GrownSite, index: number) => string): Kind =>
  (site, index) =>
    timed(site.server.url + path(site, index));

/** A call of the API, as one of the accounts or as a visitor. */
function call(
  path: string,
  fieldsOf: (site: GrownSite, index: number) => Record<string, string>,
  who?: 'operator' | 'author',
): Kind {
  return async (site, index) => {
    const started = performance.now();
    await ask(site.server, path, fieldsOf(site, index), who && site[who].token);
    return performance.now() - started;
  };
}

/** Never lets two sizes or two requests search for the same text. */
const fresh = (site: GrownSite, index: number) => at(site.phrases, index);
const paged = (index: number, pages = 20) => ({ page: String(1 + (index % pages)), pageSize: '20' });
const nothing = () => ({});

/** Pages of visitors, rendered for each request. */
export const PAGES: Record<string, Kind> = {
  home: page((_, index) => `/home?page=${1 + (index % 20)}`),
  'home, in the middle': page(
    ({ articles }, index) => `/home?page=${Math.floor(articles / PAGE_SIZE / 2.2) + (index % 20)}`,
  ),
  'home, last pages': page(({ articles }, index) => `/home?page=${articles / PAGE_SIZE - (index % 20)}`),
  article: page(({ ids }, index) => articleUrl(at(ids, index * 7))),
  'article with 1,000 comments': page(({ discussed }) => articleUrl(discussed)),
  'comments, far page': page(({ discussed }, index) => commentsUrl(discussed, 10 + (index % 20))),
  tag: page((_, index) => tagUrl(tagName(index % 40))),
  'tag, far page': page((_, index) => tagUrl(tagName(0), 15 + (index % 5))),
  profile: page(({ author }) => userUrl(author.username)),
  'profile of the busiest author': page(({ operator }) => userUrl(operator.username)),
  activities: page(({ author }) => userActivityUrl(author.username)),
  archive: page(() => archiveUrl()),
  'archive of a year': page((_, index) => archiveUrl({ year: at(YEARS, index) }, 1 + (index % 3))),
  'archive of a month': page((_, index) => archiveUrl({ year: at(YEARS, index), month: 1 + (index % 12) })),
  "author's archive": page(({ author }) => userArchiveUrl(author.username)),
  'feed of the site': page(() => feedUrl({ kind: 'site' }, 'rss')),
  'feed of a tag': page((_, index) => feedUrl({ kind: 'tag', name: tagName(index % 40) }, 'rss')),
  'index of sitemaps': page(() => '/sitemap.xml'),
  'sitemap of articles': page(() => sitemapUrl('articles', 0)),
  'list of tags': page(() => tagsUrl()),
};

/** Calls of readers, authors and staff. */
export const CALLS: Record<string, Kind> = {
  'search, repeated': call('/api/page/searchpage', (_, index) => ({ keywords: at(WORDS, index) })),
  'search, first': call('/api/page/searchpage', (site, index) => ({ keywords: fresh(site, index) })),
  'search of a word in one article': call('/api/page/searchpage', (_, index) => ({
    keywords: `k${(index * 10 * 7919).toString(36)}`,
  })),
  suggestions: call('/api/page/suggest', (site, index) => ({ q: fresh(site, index).slice(0, 3) })),
  'related and neighbouring articles': call('/api/page/ways', ({ ids }, index) => ({
    id: at(ids, index * 3),
  })),
  'number of activities': call('/api/activity/getnum', nothing),
  'newest activities': call('/api/activity/getlist', (_, index) => paged(index)),
  'own articles': call('/api/page/limitpagelist', (_, index) => paged(index, 5), 'author'),
  'own articles, searched': call(
    '/api/page/limitpagelist',
    (_, index) => ({
      ...paged(index, 2),
      keywords: at(['线程', '数据', 'java'], index),
      sort: 'comment_num',
    }),
    'author',
  ),
  'own articles of the busiest author': call(
    '/api/page/limitpagelist',
    (_, index) => paged(index, 5),
    'operator',
  ),
  'comments received': call('/api/comment/getusercommentlist', () => ({ type: 'to_user' }), 'author'),
  'comments written': call('/api/comment/getusercommentlist', () => ({ type: 'create_user' }), 'author'),
  'comments received by the busiest author': call(
    '/api/comment/getusercommentlist',
    () => ({ type: 'to_user' }),
    'operator',
  ),
  'console: overview': call('/api/staff/overview', nothing, 'operator'),
  'console: accounts': call('/api/staff/users', (_, index) => paged(index, 5), 'operator'),
  'console: articles': call('/api/staff/articles', (_, index) => paged(index, 5), 'operator'),
  'console: articles, searched': call(
    '/api/staff/articles',
    (_, index) => ({ cursor: 'start', pageSize: '20', keywords: at(WORDS, index) }),
    'operator',
  ),
  'console: hidden articles': call(
    '/api/staff/articles',
    (_, index) => ({ ...paged(index, 2), state: 'hidden' }),
    'operator',
  ),
  'console: comments': call('/api/staff/comments', (_, index) => paged(index, 5), 'operator'),
  'console: comments, searched': call(
    '/api/staff/comments',
    (_, index) => ({ cursor: 'start', pageSize: '20', keywords: at(WORDS, index) }),
    'operator',
  ),
  'console: pending items': call('/api/staff/held', (_, index) => paged(index, 2), 'operator'),
  'console: reports': call('/api/staff/reports', (_, index) => paged(index, 2), 'operator'),
  'console: log': call('/api/staff/audit', (_, index) => paged(index, 5), 'operator'),
  'console: tags': call('/api/staff/tags', (_, index) => paged(index, 5), 'operator'),
};

/** Searches of staff for a word that nothing contains, in parts until every row is read. */
export const WHOLE: Record<string, Kind> = Object.fromEntries(
  ['articles', 'comments'].map((list): [string, Kind] => [
    `console: ${list}, searched to the end`,
    async ({ server, operator }) => {
      const started = performance.now();
      for (let cursor: string | null = 'start'; cursor !== null;) {
        const fields = { cursor, pageSize: '20', keywords: '没有一处写到' };
        const found: { cursor: string | null } = await ask(
          server,
          `/api/staff/${list}`,
          fields,
          operator.token,
        );
        ({ cursor } = found);
      }
      return performance.now() - started;
    },
  ]),
);

/** The number of unread comments, which is a GET call. */
export const UNREAD: Record<string, Kind> = Object.fromEntries(
  (['author', 'operator'] as const).map((who): [string, Kind] => [
    who === 'author' ? 'number of unread comments' : 'number of unread comments of the busiest author',
    (site) =>
      timed(`${site.server.url}/api/comment/getUnreadCommentNum`, {
        headers: { Authorization: `Bearer ${site[who].token}` },
      }),
  ]),
);
