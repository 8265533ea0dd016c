import { writeFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examine, type Finding } from '../../src/lib/server/operations/doctor.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { runMoye } from './import-command.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';
import { openS3Storage } from './s3-storage.ts';

let stage: ImportStage;
let ids: string[];
beforeEach(async () => {
  stage = await openImportStage();
  const { articles, files, revisions } = stage.app.services;
  const { url } = await files.saveImage(stage.author, await twoColours(20, 20).png().toBuffer());
  const write = async (title: string, change: object = {}) => {
    const fields = { title, content: `正文 ![](${url})`, tags: ['诗'], type: '', secret: false, ...change };
    return (await articles.create({ status: 'normal', ...fields }, stage.author)).id;
  };
  ids = [
    await write('甲'),
    await write('乙'),
    await write('密', { secret: true }),
    await write('稿', { status: 'draft' }),
  ];
  const [first = ''] = ids;
  const text = { title: '甲', tags: ['诗'], secret: false, content: `改 ![](${url})` };
  await revisions.save({ ...text, id: first }, stage.author);
  await articles.remove(await write('删'), stage.author);
});
afterEach(() => stage.close());

const look = async (mends = false): Promise<Finding[]> => Array.fromAsync(examine(stage.app, { mends }));
const notFine = (findings: Finding[]) =>
  findings.filter(({ verdict }) => verdict === 'wrong' || verdict === 'mended');
const run = (...statements: string[]) =>
  stage.app.db.write(async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx);
  });
const uploads = () => join(stage.dataDir, 'uploads');

/** Kinds of damage, the check that reports each, and the statements that cause it. */
const BROKEN: [what: string, check: string, text: RegExp, statements: () => string[]][] = [
  [
    'numbers of users',
    '计数',
    /users\.page_num 1 行、users\.secret_num 1 行、users\.draft_num 1 行/,
    () => ['update users set page_num = 9, secret_num = 9, draft_num = 9'],
  ],
  [
    'stored bytes',
    '计数',
    /users\.stored_bytes 1 行、users\.version_bytes 1 行/,
    () => ['update users set stored_bytes = 1, version_bytes = 77777'],
  ],
  [
    'totals',
    '计数',
    /counters\.value 1 行.*counters\.value 1 行.*counters\.value 1 行/,
    () => ['update counters set value = value + 1'],
  ],
  ['numbers of tags', '计数', /tags\.page_num 1 行/, () => ['update tags set page_num = 0']],
  ['reads', '计数', /articles\.read_num 5 行/, () => ['update articles set read_num = 3']],
  [
    'days of the archive',
    '计数',
    /article_days\.article_num 2 行/,
    () => ['delete from article_days', 'insert into article_days (day, article_num) values (1, 5)'],
  ],
  [
    'parts of the sitemap',
    '计数',
    /sitemap_parts\.article_num 2 行/,
    () => [
      'delete from sitemap_parts',
      'insert into sitemap_parts (part, article_num, update_time) values (99, 5, 1)',
    ],
  ],
  ["tags' copies", '标签里的文章', /^\d+ 处/, () => ['update article_tags set is_public = 1 - is_public']],
  [
    'a comment that nobody is kept from seeing',
    '看不到的评论',
    /^1 处/,
    () => [`insert into invisible_comments values ('x', 'x', 'x', 1)`],
  ],
  [
    'an article that is not indexed',
    '搜索索引',
    /^缺 1 篇，多 1 条/,
    () => [`delete from search_documents where article_id = '${ids[0]}'`],
  ],
  [
    'a document without its article',
    '搜索索引',
    /^缺 0 篇，多 1 条/,
    () => [
      `update articles set is_public = 0, secret = 1 where id = '${ids[0]}'`,
      'update users set page_num = 1, secret_num = 2',
      `update counters set value = 1 where name = 'public_articles'`,
      'update tags set page_num = 1',
      'update article_days set article_num = 1',
      'update sitemap_parts set article_num = 1',
      `update article_tags set is_public = 0 where article_id = '${ids[0]}'`,
    ],
  ],
  [
    'uses of pictures',
    '图片的使用',
    /^\d+ 处/,
    () => [
      'delete from article_pictures',
      `update article_bodies set content = '无图' where article_id = '${ids[1]}'`,
      `insert into article_pictures (article_id, picture) select '${ids[1]}', name from files`,
    ],
  ],
];

describe('moye doctor', () => {
  test('finds nothing wrong with a healthy site, and says so', async () => {
    expect(notFine(await look())).toEqual([]);
    const { code, output } = await runMoye(stage, ['doctor']);
    expect(output).not.toContain('✗');
    expect(output).toContain('✓ 数据库完整\n');
    expect(output).toContain('! 备份：从来没有备份过');
    expect(code).toBe(0);
  });

  test.each(BROKEN)(
    'reports %s, repairs it, and reports nothing afterwards',
    async (what, check, text, statements) => {
      await run(...statements());
      const found = notFine(await look()).filter((finding) => finding.check === check);
      expect(found).toEqual([{ check, verdict: 'wrong', text: expect.stringMatching(text) }]);
      const mended = notFine(await look(true));
      expect(mended.map(({ verdict }) => verdict)).toEqual(mended.map(() => 'mended'));
      expect(mended.map((finding) => finding.check)).toContain(check);
      expect(notFine(await look())).toEqual([]);
      if (check === '搜索索引') {
        const found = await stage.app.services.articles.search('甲', { page: 1, pageSize: 10 }, {});
        expect(found.total).toBe(what.startsWith('an article') ? 1 : 0);
      }
    },
  );

  test('reports and removes orphaned files; reports lost ones', async () => {
    const stray = `${'a'.repeat(32)}.png`;
    writeFileSync(join(uploads(), stray), 'x');
    const old = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(uploads(), stray), old, old);
    for (const name of readdirSync(uploads())) utimesSync(join(uploads(), name), old, old);
    expect(notFine(await look())).toMatchObject([{ check: '没有记录的文件', verdict: 'wrong' }]);
    expect(notFine(await look(true))).toMatchObject([{ check: '没有记录的文件', verdict: 'mended' }]);
    expect(readdirSync(uploads())).not.toContain(stray);
    const [{ name = '' } = {}] = await stage.rows('select name from files');
    rmSync(join(uploads(), String(name)));
    expect(notFine(await look(true))).toMatchObject([{ check: '丢失的文件', verdict: 'wrong' }]);
  });

  test('checks files in a bucket too, and reports when it is unreachable', { tags: ['long'] }, async () => {
    const bucket = await openS3Storage();
    const site = await openImportStage(undefined, undefined, bucket.settings);
    try {
      const examineSite = async (mends = false) =>
        notFine(await Array.fromAsync(examine(site.app, { mends })));
      const { url } = await site.app.services.files.saveImage(
        site.author,
        await twoColours(20, 20).png().toBuffer(),
      );
      const fields = { title: '甲', content: `![](${url})`, tags: ['诗'], type: '', secret: false };
      await site.app.services.articles.create({ ...fields, status: 'normal' }, site.author);
      const [named = ''] = bucket.keys();
      const stray = `${bucket.place.prefix}${'a'.repeat(32)}.png`;
      const old = new Date(Date.now() - 2 * 3_600_000);
      bucket.put(stray, Buffer.from('x'), old);
      bucket.touch(named, old);
      expect(await examineSite()).toMatchObject([{ check: '没有记录的文件', verdict: 'wrong' }]);
      expect(await examineSite(true)).toMatchObject([{ check: '没有记录的文件', verdict: 'mended' }]);
      expect(bucket.keys()).toEqual([named]);
      bucket.remove(named);
      expect(await examineSite(true)).toMatchObject([{ check: '丢失的文件', verdict: 'wrong' }]);
      bucket.be('failing');
      const { code, output, errors } = await runMoye(site, ['doctor']);
      expect({ code, errors }).toEqual({ code: 1, errors: '' });
      expect(output).toMatch(/✗ .*文件/);
    } finally {
      await site.close();
      await bucket.close();
    }
  });

  test('reports problems that only the operator can fix, and exits with 1', async () => {
    const [id = ''] = ids;
    await run(
      `update articles set moderation = 'hidden' where id = '${id}'`,
      `insert into article_schedules (article_id, author_id, publish_time, problem)
        values ('${ids[3]}', '${stage.author.id}', 1000, '')`,
      `insert into backups (kind, time, bytes, error, error_time) values ('scheduled', null, 0, '磁盘满了', 5)`,
    );
    const named = notFine(await look(true)).filter(({ verdict }) => verdict === 'wrong');
    expect(named.map(({ check }) => check)).toEqual(['公开与否', '定时发布', '备份']);
    expect(await runMoye(stage, ['doctor'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('✗ 备份：上一次备份失败：磁盘满了\n') as string,
      errors: '',
    });
  });

  test('reports overdue schedules and untried deliveries', async () => {
    const [first = '', second = '', , draft] = ids;
    const delivery = (id: string, lane: string, due: number) =>
      `insert into outbox (id, delivery, lane, target, payload, create_time, due_time, give_up_time, tries,
        state, settle_time, problem) values ('${id}', '${id}', '${lane}', 'x', '{}', 0, ${due}, 0, 0,
        'waiting', 0, '')`;
    await run(
      `insert into article_schedules (article_id, author_id, publish_time, problem)
        values ('${draft}', '${stage.author.id}', 1000, '')`,
      delivery('a', 'mail', 1000),
      delivery('b', 'mail', 1000),
      delivery('c', 'webhook', Date.now()),
      `delete from pushes`,
      `insert into pushes (article_id, engine, change_time, due_time, tries, problem)
        values ('${first}', 'baidu', 0, 1000, 0, ''), ('${second}', 'baidu', 0, ${Date.now()}, 0, '')`,
    );
    const texts = new Map((await look()).map(({ check, text }) => [check, text]));
    expect(texts.get('定时发布')).toMatch(/^1 篇过了时间还没有发布（《稿》）/);
    expect(texts.get('通知')).toMatch(/^邮件 2 条、百度推送 1 条过了时间还没有发出/);
    // A scheduled article that its author has deleted is not reported as missing.
    await run(`update articles set status = 'cancel' where id = '${draft}'`);
    expect((await look()).find(({ check }) => check === '定时发布')?.text).toBe('');
  });

  test('repairs during writes: no count is lost', async () => {
    await run('update users set page_num = 50');
    const writing = Array.from({ length: 10 }, async (_, index) => {
      const fields = { title: `新 ${index}`, content: '正文', tags: ['诗'], type: '', secret: false };
      await stage.app.services.articles.create({ ...fields, status: 'normal' }, stage.author);
    });
    await Promise.all([look(true), ...writing]);
    await look(true);
    expect(notFine(await look())).toEqual([]);
    expect(await stage.count('select page_num from users')).toBe(12);
  });
});
