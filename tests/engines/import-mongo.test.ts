import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importSite } from '../../src/lib/importers/site/import-site.ts';
import { openMongo } from '../../src/lib/importers/mongo/mongo-site.ts';
import { describeSite } from '../../src/lib/importers/site/site-report.ts';
import type { SiteOptions } from '../../src/lib/importers/site/site-run.ts';
import { writeDump } from '../mongo-dump.ts';
import { OLD_BLOG } from '../old-blog.ts';
import { runMoye } from './import-command.ts';
import { openSiteImportStage, type SiteImportStage } from './site-import-stage.ts';

let place: string;
let stage: SiteImportStage;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-mongo-'));
  stage = await openSiteImportStage();
  mkdirSync(join(place, 'uploads'));
  for (const [name, background] of [
    ['1600000000000.png', 'red'],
    ['1600000000001.png', 'blue'],
  ] as const) {
    const image = sharp({ create: { width: 60, height: 40, channels: 3, background } });
    writeFileSync(join(place, 'uploads', name), await image.png().toBuffer());
  }
});
afterEach(async () => {
  await stage?.close();
  rmSync(place, { recursive: true, force: true });
});

async function run(path: string, options: Partial<SiteOptions> = {}) {
  const source = { origins: ['https://old.example'], uploads: join(place, 'uploads') };
  const site = await openMongo(path, source);
  const all = { isDryRun: false, mergesUsers: false, map: new Map<string, string>(), ...options };
  return importSite(site, stage.app.services, all);
}

const TABLES = ['users', 'articles', 'comments', 'tags', 'imports', 'files', 'former_paths'];
const counts = () =>
  Promise.all(TABLES.map(async (table) => `${table} ${await stage.count(`select count(*) from ${table}`)}`));

/** Stored data, without values that each site generates for itself. */
async function stored() {
  const { rows } = stage;
  const users = await rows(
    `select id, username, password_hash, gender, bio, case when avatar = '' then 0 else 1 end as pictured,
     create_time, page_num, secret_num, draft_num from users order by id`,
  );
  const articles = await rows(
    `select articles.id, title, tags, type, status, secret, username, articles.create_time, update_time, content
     from articles join users on users.id = author_id join article_bodies on article_id = articles.id
     order by articles.id`,
  );
  const comments = await rows(
    `select comments.id, author.username, comments.article_id, comments.content, replied.username as replied,
     coalesce(quoted.content, '') as reply_content, comments.create_time
     from comments join users author on author.id = comments.author_id
     left join users replied on replied.id = comments.reply_user_id
     left join comments quoted on quoted.id = comments.reply_comment_id order by comments.id`,
  );
  const marks = await rows(
    `select comment_id, username, is_read from comment_recipients join users on users.id = user_id
     order by comment_id, username`,
  );
  const tags = await rows(
    `select tags.id, name, description, username, tags.page_num, tags.create_time, update_time from tags
     join users on users.id = creator_id where name = '生活'`,
  );
  const names = (await rows(`select name from files where kind = 'image'`)).map(({ name }) => String(name));
  const gone = users.find(({ username }) => username === '走了的人')?.['id'];
  const text = names.reduce(
    (all, name) => all.replaceAll(name, 'picture'),
    JSON.stringify({ users, articles, comments, marks, tags }),
  );
  return JSON.parse(text.replaceAll(String(gone), 'gone')) as unknown;
}

test('the previous site is imported completely, and a second import changes nothing', async () => {
  const path = writeDump(place, OLD_BLOG, 'archive --gzip');
  const nothing = await counts();
  const foreseen = await run(path, { isDryRun: true });
  expect(await counts()).toEqual(nothing);
  const report = await run(path);
  expect({ ...foreseen, isDryRun: false }).toEqual(report);
  await expect(`${describeSite(report).join('\n')}\n`).toMatchFileSnapshot(
    '../fixtures/import-mongo/report.txt',
  );
  await expect(`${JSON.stringify(await stored(), null, 2)}\n`).toMatchFileSnapshot(
    '../fixtures/import-mongo/stored.json',
  );
  const before = await counts();
  const again = await run(writeDump(place, OLD_BLOG, 'folder'));
  expect(again.articles).toEqual({ created: 0, updated: 0, unchanged: 3, skipped: 0, failed: 0 });
  expect(again.comments).toEqual({ created: 0, held: 0, known: 2, lost: 1 });
  expect(await counts()).toEqual(before);
});

test('existing accounts replace those that the operator maps', async () => {
  const path = writeDump(place, OLD_BLOG, 'archive');
  const { accounts } = stage.app.services;
  for (const username of ['新人', '走了的人'])
    await accounts.add({ username, password: '松风吹解带山月照弹琴', bio: '' });
  await expect(run(path, { map: new Map([['没有的', '新人']]) })).rejects.toThrow('没有用户 没有的');
  expect(await stage.count('select count(*) from imports')).toBe(0);
  const report = await run(path, { map: new Map([['老张', '新人']]), mergesUsers: true });
  expect(report.users).toEqual({ created: 1, mapped: 2, known: 0 });
  const authors = await stage.rows(
    'select title, username from articles join users on users.id = author_id order by articles.id',
  );
  expect(authors).toEqual([
    { title: '山居', username: '新人' },
    { title: '未完', username: '走了的人' },
    { title: '私语', username: '新人' },
  ]);
});

test('articles changed since the import are not overwritten', async () => {
  const path = writeDump(place, OLD_BLOG, 'folder');
  await run(path);
  const { articles } = stage.app.services;
  const viewer = { id: '5e0a00000000000000000001', username: '老张', signinId: '', origin: '' };
  const { _id: id, ...article } = await articles.readSource('5e0a00000000000000000023', viewer);
  const { title, tags, content, status } = article;
  expect(status).toBe('normal');
  await articles.edit(
    { id, title, tags, content: `${content}，改过`, status, secret: true, type: '' },
    viewer,
  );
  await articles.remove('5e0a00000000000000000021', viewer);
  const [first, ...others] = (OLD_BLOG['pages'] ?? []).map((page) => ({
    ...page,
    title: `新${page['title']}`,
  }));
  const report = await run(writeDump(place, { ...OLD_BLOG, pages: [first ?? {}, ...others] }, 'folder'));
  expect(report.articles).toEqual({ created: 0, updated: 1, unchanged: 0, skipped: 2, failed: 0 });
  expect((await articles.readSource(id, viewer)).content).toBe('只给自己看，改过');
});

test('the command reports the result, or one clear line on failure', async () => {
  const source = ['--uploads', join(place, 'uploads'), '--from-url', 'https://old.example/'];
  const cut = writeDump(place, OLD_BLOG, 'archive', (bytes) => bytes.subarray(0, bytes.length / 2));
  const refused = await runMoye(stage.storage, ['import', 'mongo', cut, ...source]);
  expect(refused).toEqual({ code: 1, output: '', errors: 'moye：blog.archive 不完整：文件在中间断了\n' });
  writeDump(place, OLD_BLOG, 'archive');
  const { code, output, errors } = await runMoye(stage.storage, ['import', 'mongo', cut, ...source]);
  expect([code, errors]).toEqual([0, '']);
  await expect(output).toMatchFileSnapshot('../fixtures/import-mongo/report.txt');
});
