import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type CompiledQuery, type SqliteDatabase } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as activities from '../../src/lib/server/activity/activity-queries.ts';
import { countArticles } from '../../src/lib/server/articles/core/count-queries.ts';
import { listOwn } from '../../src/lib/server/articles/core/own-queries.ts';
import { OWN_SORTS } from '../../src/lib/contract/rules/list-filters.ts';
import { listArticles } from '../../src/lib/server/articles/core/list-queries.ts';
import * as feeds from '../../src/lib/server/articles/discovery/feed-queries.ts';
import * as sitemap from '../../src/lib/server/articles/discovery/sitemap-queries.ts';
import * as articles from '../../src/lib/server/articles/core/article-queries.ts';
import * as archive from '../../src/lib/server/articles/discovery/archive-queries.ts';
import { findPlace } from '../../src/lib/server/articles/discovery/archive-queries.ts';
import * as picks from '../../src/lib/server/articles/discovery/pick-queries.ts';
import * as related from '../../src/lib/server/articles/discovery/related-queries.ts';
import * as comments from '../../src/lib/server/comments/comment-queries.ts';
import { findQuoted } from '../../src/lib/server/comments/quote-queries.ts';
import * as recipients from '../../src/lib/server/comments/recipient-queries.ts';
import type { Queryable } from '../../src/lib/server/db/database.ts';
import { MIGRATIONS } from '../../src/lib/server/db/migrate.ts';
import type { Schema } from '../../src/lib/server/db/schema/schema.ts';
import { readHeld } from '../../src/lib/server/moderation/withheld-queries.ts';
import { readOrigins } from '../../src/lib/server/origins/origin-queries.ts';
import { listLatest, listRelatedNames, readTags } from '../../src/lib/server/tags/tag-queries.ts';
import * as staffLists from '../../src/lib/server/staff/list-queries.ts';
import * as overview from '../../src/lib/server/staff/overview-queries.ts';
import * as tags from '../../src/lib/server/tags/tag-queries.ts';

/** Lists and counts must stay fast as data grows: SQLite's planner must not scan or sort a whole table. */
const reader = { id: 'a'.repeat(24) };
const page = { sort: 'create_time', offset: 0, limit: 10, total: 100 } as const;

let connection: DatabaseSync;
let db: Queryable;
let seen: CompiledQuery[];

beforeAll(() => {
  connection = new DatabaseSync(':memory:');
  for (const { sqlite } of MIGRATIONS) for (const statement of sqlite) connection.exec(statement);
  const database: SqliteDatabase = {
    close: () => connection.close(),
    prepare(text) {
      const statement = connection.prepare(text);
      return {
        reader: true,
        all: (values) => statement.all(...(values as string[])),
        run: (values) => statement.run(...(values as string[])),
        iterate: (values) => statement.iterate(...(values as string[])),
      };
    },
  };
  const dialect = new SqliteDialect({ database });
  db = new Kysely<Schema>({ dialect, log: (event) => void seen.push(event.query) });
});
afterAll(() => connection.close());

async function planOf(run: () => Promise<unknown>): Promise<string> {
  seen = [];
  await run();
  expect(seen.length).toBeGreaterThan(0);
  return (
    seen
      // Without parameter values, because a plan that depends on them would be compiled again for every call.
      .flatMap(({ sql }) => connection.prepare(`explain query plan ${sql}`).all())
      .map((step) => String(step['detail']))
      .join('\n')
  );
}

describe('SQLite answers through an index', () => {
  test('related articles, whose few rows are sorted', async () => {
    const plan = await planOf(() => related.listRelated(db, 'x'));
    expect(plan).toMatch(/SEARCH related_articles USING PRIMARY KEY/);
    expect(plan).not.toMatch(/SCAN \w+\b(?! USING)/);
  });

  test('tags with their newest articles, and those that occur together', async () => {
    const plan = await planOf(async () => {
      await listLatest(db, ['x', 'y']);
      await listRelatedNames(db, 'x', { newest: 200, limit: 12 });
    });
    expect(plan).toContain('article_tags_created');
    // Only the two hundred newest rows may be scanned.
    expect(plan).not.toMatch(/SCAN (?!newest\b)\w+\b(?! USING)/);
  });

  const scopes: articles.Scope[] = [
    { of: 'public' },
    { of: 'tag', tagId: 'x' },
    { of: 'author', authorId: 'x' },
    { of: 'own', authorId: 'x', status: 'normal' },
    { of: 'own', authorId: 'x', status: 'normal', secret: true },
    { of: 'own', authorId: 'x', status: 'draft' },
  ];
  for (const sort of ['create_time', 'update_time'] as const) {
    for (const scope of scopes) {
      test(`articles ${JSON.stringify(scope)} by ${sort}`, async () => {
        const plan = await planOf(async () => {
          await listArticles(db, scope, { ...page, sort });
          await listArticles(db, scope, { ...page, sort, offset: 80 });
        });
        expect(plan).not.toMatch(/SCAN (?!page)\w+\b(?! USING)/);
        // Only the ten rows of the page are sorted again after they were looked up.
        expect(plan.match(/TEMP B-TREE/g)).toHaveLength(2);
        expect(plan).toMatch(sort === 'create_time' ? /_created/ : /_updated/);
        expect(plan).not.toContain('article_bodies');
      });
    }
  }

  test('a far page of all articles, of whose days only the counts are read', async () => {
    const plan = await planOf(async () => {
      await findPlace(db, 500_000, 'desc');
      await listArticles(db, { of: 'public' }, { ...page, offset: 80 }, -1);
    });
    expect(plan).toMatch(/SCAN article_days/);
    expect(plan).not.toMatch(/SCAN (?!page\b|days\b|article_days\b|\(subquery)\w+\b(?! USING)/);
  });

  test.each([
    ...OWN_SORTS.map((sort) => ({ sort, keywords: '山 水', tag: '诗', state: 'scheduled' as const })),
    { sort: 'create_time' as const, keywords: '', state: 'changed' as const },
  ])('one’s own articles %j', async (filter) => {
    const own = { status: 'normal' as const, page: 1, pageSize: 10, ...filter };
    const plan = await planOf(() => listOwn(db, own, reader));
    expect(plan).not.toMatch(/SCAN (?!page)\w+\b(?! USING)/);
    expect(plan).toMatch(/SEARCH articles USING (?:COVERING )?INDEX articles_author_status/);
    expect(plan).not.toContain('article_bodies');
  });

  const cases: [string, () => Promise<unknown>][] = [
    ['counts of articles', () => countArticles(db, { of: 'public' })],
    ['an article', () => articles.findArticle(db, 'x', reader)],
    ['the neighbours of an article', () => articles.findNeighbours(db, { id: 'x', create_time: 1 })],
    ['comments of an article', () => comments.listOlder(db, 'x', reader, { than: null, limit: 100 })],
    [
      'older comments of an article',
      () => comments.listOlder(db, 'x', reader, { than: { create_time: 1, id: 'x' }, limit: 100 }),
    ],
    ['the comment a reply quotes', () => findQuoted(db, { articleId: 'x', authorId: 'x', quote: 'x' })],
    ['comments somebody wrote', () => comments.listWritten(db, reader, page)],
    ['comments somebody received', () => recipients.listReceived(db, reader, page)],
    ['the number of comments somebody received', () => recipients.countReceived(db, reader)],
    ['the number of comments somebody wrote', () => comments.countWritten(db, reader)],
    ['the number of unread comments', () => recipients.countUnread(db, reader)],
    ['tags by use', () => tags.listTags(db, { ...page, shown: 'all' })],
    ['a tag by name', () => tags.findTag(db, 'x', reader.id)],
    ['the names of the tags used most', () => tags.listTagNames(db, reader.id, 2000)],
    ['articles of a file of the sitemap', () => sitemap.listArticlesOfPart(db, 7)],
    ['the files of articles in the sitemap', () => sitemap.listArticleParts(db)],
    ['the text of an article for a feed', () => feeds.findPublicHtml(db, 'x')],
    ['the last article before a month', () => archive.findLatest(db, 1)],
    ['the number of articles in a month', () => archive.countIn(db, { from: 1, to: 1e9 })],
    ['the titles of a month', () => archive.listTitlesBy(db, { from: 1, to: 2 }, page)],
    ['the titles of an author', () => archive.listTitlesBy(db, { authorId: 'x' }, page)],
    ['what was read most in a month', () => picks.listMostRead(db, 1, 10)],
    ['articles about a word', () => related.listAbout(db, 'x', 40)],
    ['the newest articles of a tag', () => related.listUnder(db, 'x', 40)],
    ['words that articles share', () => related.listShared(db, ['x', 'y'], ['z'])],
    ['articles to be analysed', () => related.listOutdated(db, 1, { after: 1, to: 9 })],
    ['articles for which it is to be found what is related', () => related.listUnlisted(db, 50)],
  ];
  test.each(cases)('%s', async (_, run) => {
    const plan = await planOf(run);
    expect(plan).not.toMatch(
      /SCAN (?!CONSTANT\b|counters\b|sitemap_parts\b|earlier\b|later\b)\w+\b(?! USING)/,
    );
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test.each(['x', null])(
    'activities of %s, of which only the rows of the page are sorted',
    async (authorId) => {
      const plan = await planOf(async () => {
        await activities.countEntries(db, { authorId, kind: null });
        await activities.listEntries(db, { authorId, kind: null }, page);
      });
      expect(plan).toMatch(authorId ? /articles_author_public_created/ : /articles_public_created/);
      expect(plan).toMatch(authorId ? /comments_author/ : /comments_created/);
      expect(plan).not.toMatch(/SCAN (?!entries\b|some\b)\w+\b(?! USING)/);
    },
  );

  test('origins of an account, an address or an item', async () => {
    const plan = await planOf(() => readOrigins(db, { keywords: 'x', page: 1, pageSize: 10 }));
    expect(plan.match(/MULTI-INDEX OR/g)).toHaveLength(2);
    expect(plan).not.toContain('SCAN');
  });

  const staffPage = { page: 1, pageSize: 20 };
  test.each([
    ['articles', 'articles_public_created', staffLists.readArticles],
    ['articles', 'articles_moderated', staffLists.readArticles],
    ['comments', 'comments_created', staffLists.readComments],
    ['users', 'users_created', (own, filter) => staffLists.readUsers(own, filter, 1)],
  ] as [string, string, typeof staffLists.readComments][])(
    'the newest %s for staff, from %s, of which only the rows of the page are sorted',
    async (_, index, read) => {
      for (const keywords of ['', '山']) {
        const plan = await planOf(() => read(db, { ...staffPage, keywords }));
        expect(plan).toContain(index);
        expect(plan).not.toMatch(/SCAN (?!found\b|newest\b|some\b|part\d)\w+\b(?! USING)/);
      }
    },
  );

  test.each(['', 'article', 'change'] as const)(
    'pending items (%s), of which only the rows of the page are sorted',
    async (kind) => {
      const plan = await planOf(() => readHeld(db, { ...staffPage, kind }));
      expect(plan).toMatch(
        kind === 'change'
          ? /pending_changes USING INDEX pending_changes_oldest/
          : /INDEX withheld_items_oldest/,
      );
      // Which articles are counted is read from an index alone.
      if (kind !== 'change') expect(plan).toMatch(/SCAN articles USING INDEX articles_moderated/);
      expect(plan).not.toMatch(/SCAN (?!pending\b|some\b|\(subquery)\w+\b(?! USING)/);
    },
  );

  test('tags for staff, counted from an index alone and listed in the order of one', async () => {
    const plan = await planOf(() => readTags(db, { ...staffPage, keywords: '', show: '' }));
    expect(plan).toMatch(/SCAN tags USING COVERING INDEX/);
    expect(plan).toMatch(/tags USING INDEX tags_listed_popular/);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('numbers of the overview: of comments only the last days', async () => {
    const plan = await planOf(async () => {
      await overview.countAll(db);
      await overview.countSince(db, 1);
      await overview.countByDay(db, [{ start: 1, end: 2 }]);
    });
    expect(plan).toMatch(/SEARCH comments USING COVERING INDEX comments_created/);
    expect(plan).not.toMatch(/SCAN (?!CONSTANT\b|counters\b|comment_days\b)\w+/);
  });

  test.each(['users', 'tags', 'series'] as const)('a file of %s in the sitemap', async (kind) => {
    const plan = await planOf(async () => {
      await sitemap.countParts(db, kind);
      await sitemap.listOfPart(db, kind, 3);
    });
    expect(plan).not.toMatch(
      /SCAN (?!part\b)\w+\b(?! USING INDEX (?:users_authors|tags_used|series_public))/,
    );
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test.each(['newest', 'oldest'] as const)(
    'a late page, %s first, is cut from the index alone',
    async (order) => {
      const part = { offset: 5000, limit: 20, order };
      const plan = await planOf(() => comments.listPartOfArticle(db, 'x', reader, part));
      expect(plan).toContain('SEARCH part USING COVERING INDEX comments_article');
      expect(plan).not.toMatch(/SCAN (?!part\b)\w+/);
    },
  );

  test('comments of an account are counted from indexes alone', async () => {
    const plan = await planOf(async () => {
      await comments.countWritten(db, reader);
      await recipients.countReceived(db, reader);
    });
    expect(plan).toMatch(/SEARCH comments USING COVERING INDEX comments_author/);
    expect(plan).toMatch(/SEARCH comment_recipients USING COVERING INDEX comment_recipients_list/);
    expect(
      plan.match(/SEARCH invisible_comments USING COVERING INDEX invisible_comments_user/g),
    ).toHaveLength(2);
    expect(plan).not.toContain('articles');
  });

  test('unread comments are counted from the index that holds only unread ones', async () => {
    const plan = await planOf(async () => {
      await recipients.countUnread(db, reader);
      await recipients.countUnreadOf(db, ['x', 'y']);
    });
    expect(plan.match(/SEARCH comment_recipients USING .*comment_recipients_unread/g)).toHaveLength(2);
    expect(plan).not.toContain('TEMP B-TREE');
  });
});
