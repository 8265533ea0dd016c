import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as activities from '../../src/lib/server/activity/activity-queries.ts';
import { countArticles } from '../../src/lib/server/articles/core/count-queries.ts';
import { listArticles, type ListPart } from '../../src/lib/server/articles/core/list-queries.ts';
import * as feeds from '../../src/lib/server/articles/discovery/feed-queries.ts';
import * as related from '../../src/lib/server/articles/discovery/related-queries.ts';
import * as sitemap from '../../src/lib/server/articles/discovery/sitemap-queries.ts';
import * as articles from '../../src/lib/server/articles/core/article-queries.ts';
import * as comments from '../../src/lib/server/comments/comment-queries.ts';
import { findQuoted } from '../../src/lib/server/comments/quote-queries.ts';
import * as recipients from '../../src/lib/server/comments/recipient-queries.ts';
import type { Queryable } from '../../src/lib/server/db/database.ts';
import type { Schema } from '../../src/lib/server/db/schema/schema.ts';
import * as staffLists from '../../src/lib/server/staff/list-queries.ts';
import * as overview from '../../src/lib/server/staff/overview-queries.ts';
import * as tags from '../../src/lib/server/tags/tag-queries.ts';
import { createStorage, type TestStorage } from '../engine.ts';

/**
 * Lists and counts must stay fast as data grows: PostgreSQL's planner, which knows the size of the tables,
 * must not scan or sort a whole table.
 */
const ID = (kind: string, number: string) => `substr(md5('${kind}' || ${number}), 1, 24)`;
const FILL = [
  `insert into users (id, username, username_key, password_hash, gender, bio, avatar, create_time)
     select ${ID('user', 'n')}, 'u' || n, 'u' || n, '', 'x', '', '', n from generate_series(1, 100) n`,
  `insert into articles (id, author_id, title, tags, type, status, secret, is_public, was_published, create_time, update_time,
       excerpt, has_more, summary)
     select ${ID('article', 'n')}, ${ID('user', '(n % 20 + 1)')}, 'title', '[]', '', case n % 10 when 0 then 'draft' else 'normal' end,
       (n % 7 = 0)::integer, (n % 10 <> 0 and n % 7 <> 0)::integer, 1, n * 1000, n * 1000, repeat('x', 500), 0, 'x'
     from generate_series(1, 20000) n`,
  `insert into article_bodies select id, repeat('x', 900), 'x', '[]', repeat('x', 900), 1 from articles`,
  `insert into tags (id, name, description, creator_id, create_time, update_time, page_num, is_listed)
     select ${ID('tag', 'n')}, 't' || n, '', ${ID('user', '1')}, n, n, n % 50, 1 from generate_series(1, 15000) n`,
  `insert into article_tags select ${ID('tag', '(seq % 200 + 1)')}, id, is_public, create_time, update_time from articles`,
  `insert into comments (id, article_id, author_id, content, reply_user_id, reply_comment_id, create_time)
     select ${ID('comment', 'n')}, ${ID('article', '(n % 2000 + 1)')}, ${ID('user', '(n % 97 + 1)')}, 'x', ${ID('user', '(n % 97 + 1)')},
     ${ID('comment', '(n - 1)')}, n
     from generate_series(1, 20000) n`,
  `insert into comment_recipients select author_id, id, create_time, (create_time % 50 <> 0)::integer from comments`,
  `insert into comment_days select create_time / 86400000, count(*) from comments group by 1`,
  'vacuum analyze',
];

let storage: TestStorage;
let pool: Pool;
let db: Queryable;
let seen: CompiledQuery[];
let reader: { id: string };
let place: { id: string; create_time: number };
let tagId: string;

beforeAll(async () => {
  storage = await createStorage('');
  pool = new Pool({ connectionString: storage.settings['DATABASE_URL'], max: 2 });
  pool.on('error', () => {});
  for (const statement of FILL) await pool.query(statement);
  const dialect = new PostgresDialect({ pool });
  db = new Kysely<Schema>({ dialect, log: (event) => void seen.push(event.query) });
  const first = async (sql: string) => (await storage.rows(sql))[0] ?? {};
  reader = { id: String((await first(`select ${ID('user', '7')} as id`))['id']) };
  tagId = String((await first(`select ${ID('tag', '7')} as id`))['id']);
  const article = await first('select id, create_time from articles where seq = 10001');
  place = { id: String(article['id']), create_time: Number(article['create_time']) };
});
afterAll(async () => {
  await pool?.end();
  await storage?.remove();
});

async function planOf(run: () => Promise<unknown>): Promise<string> {
  seen = [];
  await run();
  expect(seen.length).toBeGreaterThan(0);
  const plans: string[] = [];
  for (const { sql, parameters } of seen) {
    const { rows } = await pool.query<Record<string, string>>(`explain ${sql}`, [...parameters]);
    plans.push(...rows.map((row) => row['QUERY PLAN'] ?? ''));
  }
  return plans.join('\n');
}

/** Tables that grow with the site. There are only some hundred users here, so scanning them is allowed. */
const WALKED = /Seq Scan on (?:articles|article_bodies|article_tags|tags|comments|comment_recipients)\b/;
/** Sorts of rows that an index returned in another order. */
const SORTED = /Sort {2}\(cost/g;

describe('PostgreSQL answers through an index', () => {
  const part: Omit<ListPart, 'sort'> = { offset: 0, limit: 10, total: 100 };
  const scopes: [string, () => articles.Scope][] = [
    ['public', () => ({ of: 'public' })],
    ['tag', () => ({ of: 'tag', tagId })],
    ['author', () => ({ of: 'author', authorId: reader.id })],
    ['own', () => ({ of: 'own', authorId: reader.id, status: 'normal' })],
    ['own secret', () => ({ of: 'own', authorId: reader.id, status: 'normal', secret: true })],
    ['own drafts', () => ({ of: 'own', authorId: reader.id, status: 'draft' })],
  ];
  for (const sort of ['create_time', 'update_time'] as const) {
    test.each(scopes)(`articles %s by ${sort}`, async (_, scope) => {
      const plan = await planOf(async () => {
        await listArticles(db, scope(), { ...part, sort });
        await listArticles(db, scope(), { ...part, sort, offset: 80 });
      });
      expect(plan).not.toMatch(WALKED);
      // Only the ten rows of the page are sorted again after they were looked up.
      expect(plan.match(SORTED)?.length ?? 0).toBeLessThanOrEqual(2);
      expect(plan).toMatch(sort === 'create_time' ? /_created/ : /_updated/);
      expect(plan).not.toContain('article_bodies');
    });
  }

  const page = { offset: 0, limit: 10 };
  const staffPage = { keywords: '', page: 1, pageSize: 10 };
  test('activities of a user', async () => {
    const scope = { authorId: reader.id, kind: null };
    expect(await planOf(() => activities.listEntries(db, scope, page))).not.toMatch(WALKED);
  });

  const cases: [string, () => Promise<unknown>][] = [
    ['counts of articles', () => countArticles(db, { of: 'public' })],
    ['an article', () => articles.findArticle(db, place.id, reader)],
    ['the neighbours of an article', () => articles.findNeighbours(db, place)],
    ['comments of an article', () => comments.listOlder(db, place.id, reader, { than: null, limit: 100 })],
    [
      'older comments of an article',
      () => comments.listOlder(db, place.id, reader, { than: { create_time: 1, id: 'x' }, limit: 100 }),
    ],
    [
      'the comment a reply quotes',
      () => findQuoted(db, { articleId: place.id, authorId: reader.id, quote: 'x' }),
    ],
    ['comments somebody wrote', () => comments.listWritten(db, reader, page)],
    ['comments somebody received', () => recipients.listReceived(db, reader, page)],
    ['the number of comments somebody received', () => recipients.countReceived(db, reader)],
    ['the number of comments somebody wrote', () => comments.countWritten(db, reader)],
    ['the number of unread comments', () => recipients.countUnread(db, reader)],
    ['tags by use', () => tags.listTags(db, { ...page, shown: 'all' })],
    ['a tag by name', () => tags.findTag(db, 't7', reader.id)],
    ['the names of the tags used most', () => tags.listTagNames(db, reader.id, 2000)],
    ['articles of the console', () => staffLists.readArticles(db, staffPage)],
    ['comments of the console', () => staffLists.readComments(db, staffPage)],
    ['totals of the overview', () => overview.countAll(db)],
    ['comments of the last days', () => overview.countSince(db, 19_900)],
    ['articles of a file of the sitemap', () => sitemap.listArticlesOfPart(db, 1)],
    ['articles to be analysed', () => related.listOutdated(db, 1, { after: 1000, to: 1100 })],
    ['the text of an article for a feed', () => feeds.findPublicHtml(db, place.id)],
  ];
  test.each(cases)('%s', async (name, run) => {
    const plan = await planOf(run);
    expect(plan).not.toMatch(WALKED);
    // The few comments of one article, and the rows of a page of the console, may be sorted.
    if (!/comments of an article$|of the console$/.test(name)) expect(plan.match(SORTED)).toBeNull();
  });
});
