import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { splitFrontMatter } from '../../src/lib/markdown-file/front-matter.ts';
import { LISTS } from '../../src/lib/server/export/format.ts';
import { ENGINE, openBackupStage, type BackupStage } from './backup-stage.ts';
import { exportFrom, importInto, openHome, richSite, sameDigests, signal, TITLES } from './export-stage.ts';
import { emptyDisk, fillDisk } from './full-disk.ts';

let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage.close());

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const listOf = (folder: string, path: string) =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>[];

describe(`a site that was exported and is imported again, on ${ENGINE}`, () => {
  test('has the same rows, also after another export and import', async () => {
    const site = await richSite(stage);
    const folder = join(stage.folder, 'out');
    const manifest = await exportFrom(site, folder);
    expect(manifest).toMatchObject({ kind: 'site', author: null, with_accounts: true, missing: [] });

    const there = await stage.home('there');
    const report = await importInto(there, folder);
    expect(report.losses).toEqual([]);
    expect(report.counts.articles.created).toBe(manifest.counts.articles);
    expect(report.counts.versions.created).toBe(manifest.counts.versions);
    expect(manifest.counts.versions).toBeGreaterThan(5);
    expect(await sameDigests(there)).toEqual(await sameDigests(site));
    const names = "select user_id, name, skeleton_hash, end_time from former_names where name <> ''";
    expect(await there.storage.rows(names)).toEqual(await site.storage.rows(names));
    const sources = 'select article_id, content from article_bodies order by article_id';
    expect(await there.storage.rows(sources)).toEqual(await site.storage.rows(sources));

    const zip = join(stage.folder, 'out.zip');
    expect((await exportFrom(there, zip)).counts).toEqual(manifest.counts);
    const back = await stage.home('back', { isSqlite: true });
    expect((await importInto(back, zip)).losses).toEqual([]);
    const all = ['article_bodies'];
    expect(await sameDigests(back, all)).toEqual(await sameDigests(there, all));
    for (const name of readdirSync(join(site.dataDir, 'uploads')).filter((each) =>
      /^[0-9a-f-x]+\.\w+$/.test(each),
    ))
      expect(readFileSync(join(back.dataDir, 'uploads', name))).toEqual(
        readFileSync(join(site.dataDir, 'uploads', name)),
      );
  });

  test('changes nothing the second time, and keeps changes made on the site meanwhile', async () => {
    const site = await richSite(stage);
    const folder = join(stage.folder, 'out');
    const { counts } = await exportFrom(site, folder);
    const there = await stage.home('there');
    await importInto(there, folder);
    const before = await sameDigests(there);
    const again = await importInto(there, folder);
    expect(Object.values(again.counts).map(({ created }) => created)).toEqual(Array(7).fill(0));
    expect(again.counts.articles.same).toBe(counts.articles);
    expect(await sameDigests(there)).toEqual(before);

    const app = await openHome(there);
    const user = await app.services.users.find('作者');
    const author = { id: user?._id ?? '', username: '作者', signinId: '', origin: '' };
    const [row] = await there.storage.rows("select id from articles where title = 'CON'");
    const source = await app.services.articles.readSource(String(row?.['id']), author);
    const { title, tags, secret, type, update_time } = source;
    const edited = { id: source._id, title, tags, secret, type, update_time, content: '站内改过的' };
    await app.services.articles.edit({ ...edited, status: 'normal' }, author);
    await app.close();
    const third = await importInto(there, folder);
    expect(third.losses.map(({ why }) => why)).toEqual(['站内已有这篇文章，内容不同，没有改动它']);
    const content = await there.storage.rows(
      "select content from article_bodies where content = '站内改过的'",
    );
    expect(content).toHaveLength(1);
  });

  test('resumes after an interruption, and a dry run writes nothing', { tags: ['long'] }, async () => {
    const site = await richSite(stage);
    const folder = join(stage.folder, 'out');
    await exportFrom(site, folder);
    const there = await stage.home('there');
    const dry = await importInto(there, folder, { isDryRun: true });
    expect(await there.storage.count('select count(*) from users')).toBe(0);
    for (let stopAfter = 1; ; stopAfter *= 4) {
      const stop = new AbortController();
      const onProgress = (done: number) => done % stopAfter === 0 && stop.abort();
      const report = await importInto(there, folder, { signal: stop.signal, onProgress });
      if (!report.wasStopped) break;
    }
    const whole = await importInto(there, folder);
    expect(whole.wasStopped).toBe(false);
    expect(await sameDigests(there)).toEqual(await sameDigests(site));
    expect(dry.losses).toEqual([]);
    for (const [kind, { created }] of Object.entries(dry.counts))
      expect([kind, created]).toEqual([kind, whole.counts[kind as 'users'].same]);
  });

  test('stops when the disk is full, and resumes once space is freed', { tags: ['once'] }, async () => {
    const site = await richSite(stage);
    const folder = join(stage.folder, 'out');
    await exportFrom(site, folder);
    const there = await stage.home('there');
    const app = await openHome(there);
    let filling: Promise<void> | undefined;
    const onProgress = (done: number) => {
      if (done === 1) filling ??= fillDisk(app.db);
    };
    const options = { isDryRun: false, withAccounts: true, author: null, signal, onProgress };
    await expect(app.services.reimport(folder, options)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    await filling;
    await emptyDisk(app.db);
    await app.close();
    expect((await importInto(there, folder)).losses).toEqual([]);
    expect(await sameDigests(there)).toEqual(await sameDigests(site));
  });

  test(
    'of an older version names no quoted comments: they are found by their words',
    { tags: ['once'] },
    async () => {
      const site = await richSite(stage);
      const folder = join(stage.folder, 'out');
      await exportFrom(site, folder);
      const path = join(folder, LISTS.comments);
      const named = readFileSync(path, 'utf8');
      const old = named.replaceAll(/,"comment":"[0-9a-f]{24}"/g, '');
      expect(old).not.toBe(named);
      writeFileSync(path, old);
      const there = await stage.home('there');
      expect((await importInto(there, folder)).losses).toEqual([]);
      expect(await sameDigests(there)).toEqual(await sameDigests(site));
    },
  );

  test(
    'transfers passwords, roles and e-mail addresses only when both commands ask for it',
    { tags: ['once'] },
    async () => {
      const site = await stage.site();
      const [plain, full] = [join(stage.folder, 'plain'), join(stage.folder, 'full')];
      await exportFrom(site, plain, { withAccounts: false });
      await exportFrom(site, full);
      expect(readFileSync(join(plain, LISTS.users), 'utf8')).not.toContain('argon2');
      for (const [name, folder, withAccounts] of [
        ['a', plain, true],
        ['b', full, false],
      ] as const) {
        const there = await stage.home(name);
        const report = await importInto(there, folder, { withAccounts });
        expect(report.withoutPassword).toEqual(['作者', '读者']);
        expect(await there.storage.rows('select distinct password_hash, role from users')).toEqual([
          { password_hash: '', role: 'author' },
        ]);
        expect(await there.storage.count('select count(*) from user_emails')).toBe(0);
      }
    },
  );
});

describe('an author’s export', () => {
  test('has no private content of others', async () => {
    const site = await richSite(stage);
    const folder = join(stage.folder, 'mine');
    const manifest = await exportFrom(site, folder, { author: '作者', withAccounts: false });
    const paths = filesIn(folder);
    const texts = paths
      .filter((path) => path.endsWith('.md'))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
    for (const secret of ['读者的草稿', '被隐藏的', '足够长的一句话', 'argon2', 'A@example.com', 'sealed']) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
      expect(readFileSync(join(folder, LISTS.comments), 'utf8')).not.toContain(secret);
      expect(readFileSync(join(folder, LISTS.users), 'utf8')).not.toContain(secret);
    }
    // The author's own comments are exported even if their article is now hidden from them.
    expect(readFileSync(join(folder, LISTS.comments), 'utf8')).toContain('作者说过的话');
    expect(existsSync(join(folder, LISTS.reads))).toBe(false);
    expect(manifest.counts.articles).toBe(4 + TITLES.length + 3 + 2);
    const marks = listOf(folder, LISTS.comments).flatMap(
      ({ recipients }) => recipients as { user: string }[],
    );
    expect(new Set(marks.map(({ user }) => user))).toEqual(new Set([manifest.author]));
    // A picture of another author, used in one of this author's articles.
    expect(paths.filter((path) => path.startsWith('pictures/'))).toContain(`pictures/${site.pictures[1]}`);
  });

  test('sets hidden articles apart from secret ones, and explains itself in Chinese', async () => {
    const site = await richSite(stage);
    const app = await openHome(site);
    const author = await app.services.users.find('作者');
    const viewer = { id: author?._id ?? '', username: '作者', signinId: '', origin: null, isUnlimited: true };
    const fields = { content: '正文', tags: ['诗'], type: '', status: 'normal' as const, secret: false };
    const { id } = await app.services.articles.create({ ...fields, title: '没有通过的' }, viewer);
    await app.services.articles.create({ ...fields, title: '自己看的', secret: true }, viewer);
    await app.services.takedowns.decide('article', { ids: [id], action: 'hide', note: '广告' }, null);
    await app.close();
    const folder = join(stage.folder, 'mine');
    await exportFrom(site, folder, { author: '作者', withAccounts: false });
    const namesIn = (kind: string) => filesIn(join(folder, kind)).join();
    expect(namesIn('withheld')).toContain('没有通过的');
    expect(namesIn('secret')).toContain('自己看的');
    expect(namesIn('secret')).not.toContain('没有通过的');
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const kind of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
      expect(readme).toContain(`\`${kind.name}/`);
    const page = readFileSync(join(folder, 'comments.html'), 'utf8');
    expect(page).not.toContain('被隐藏的');
    expect(page).toContain('作者说过的话');
    expect(page).not.toContain('足够长的一句话');
    // The imported article is hidden again.
    const there = await stage.home('there');
    // Pages of the site, whose author is no operator here.
    expect((await importInto(there, folder)).counts.articles.left).toBe(2);
    const moderation = `select moderation from articles where id = '${id}'`;
    expect(await there.storage.rows(moderation)).toEqual(await site.storage.rows(moderation));
  });

  test(
    'uses file names valid on every system, with pictures next to the texts',
    { tags: ['once'] },
    async () => {
      const site = await richSite(stage);
      const folder = join(stage.folder, 'mine');
      await exportFrom(site, folder, { author: '作者' });
      const posts = filesIn(join(folder, 'posts'));
      expect(posts.filter((path) => path.includes('同名'))).toHaveLength(2);
      for (const path of posts) {
        expect(path).toMatch(/^\d{4}-\d\d-\d\d-[^/\\:*?"<>|#%\p{Cc}]+\.md$/u);
        expect(Buffer.byteLength(path)).toBeLessThan(143);
      }
      expect(new Set(posts.map((path) => path.toLowerCase())).size).toBe(posts.length);
      const shown = posts.find((path) => path.includes('有图')) ?? '';
      const { metadata, body } = splitFrontMatter(readFileSync(join(folder, 'posts', shown), 'utf8'));
      expect(metadata).toMatchObject({ title: '有图 第三稿', tags: ['图'] });
      expect(metadata).not.toHaveProperty('draft');
      const links = [...body.matchAll(/\.\.\/pictures\/[\w.-]+/g)].map(([link]) => link);
      expect(links).toHaveLength(4);
      for (const link of links) expect(existsSync(join(folder, 'posts', link))).toBe(true);
      for (const kept of ['drafts', 'secret', 'trash', 'revisions'])
        for (const path of filesIn(join(folder, kept)))
          expect(splitFrontMatter(readFileSync(join(folder, kept, path), 'utf8')).metadata).toMatchObject({
            draft: true,
            published: false,
          });
      const like = posts.find((path) => path.includes('像导出的图')) ?? '';
      expect(readFileSync(join(folder, 'posts', like), 'utf8')).toContain(`/api/file/${site.pictures[0]}`);
    },
  );

  test('is imported elsewhere for its author, or for the named account', { tags: ['once'] }, async () => {
    const site = await richSite(stage);
    const zip = join(stage.folder, 'mine.zip');
    const { counts } = await exportFrom(site, zip, { author: '作者' });
    const there = await stage.home('there');
    const app = await openHome(there);
    await app.services.accounts.add({ username: '作者', password: '独坐幽篁里弹琴复长啸', bio: '' });
    await app.close();
    await expect(importInto(there, zip)).rejects.toThrow('这里已有另一个叫 作者 的账号');
    const report = await importInto(there, zip, { author: '作者' });
    // Pages of the site, whose author is no operator here.
    expect(report.counts.articles).toMatchObject({ created: counts.articles - 2, left: 2 });
    expect(report.withoutPassword).toEqual(['读者']);
    const authors = 'select distinct username from users join articles on author_id = users.id';
    expect(await there.storage.rows(authors)).toEqual([{ username: '作者' }]);
    const read = (home: typeof there) =>
      home.storage.rows(
        "select id, title, create_time, update_time, tags, cover from articles where title like '有图%'",
      );
    expect(await read(there)).toEqual(await read(site));
  });
});

describe('a modified file of an export', () => {
  test(
    'is imported as modified while it is readable; the others are imported regardless',
    { tags: ['once'] },
    async () => {
      const site = await richSite(stage);
      const folder = join(stage.folder, 'out');
      await exportFrom(site, folder);
      const posts = join(folder, 'authors/作者/posts');
      const pathOf = (title: string) =>
        join(posts, readdirSync(posts).find((path) => path.includes(title)) ?? '');
      const change = (title: string, from: string | RegExp, to: string) =>
        writeFileSync(pathOf(title), readFileSync(pathOf(title), 'utf8').replace(from, to));
      change('山居秋暝', '天气晚来秋', '明月松间照');
      writeFileSync(pathOf('分隔线'), readFileSync(pathOf('分隔线'), 'utf8').replaceAll(/\r?\n/g, '\r\n'));
      change('有图', /^moye: .*$/m, '');
      change('表情', 'title:', 'secret: "yes"\ntitle:');
      writeFileSync(pathOf('CON'), Buffer.from([0xff, 0xfe, 0x00]));
      rmSync(join(folder, 'authors/作者/pictures', site.pictures[0] ?? ''));
      mkdirSync(join(folder, '.git'));
      writeFileSync(join(folder, '.git', 'x.md'), '#');
      const there = await stage.home('there');
      const { losses, counts } = await importInto(there, folder);
      const whys = losses.map(
        ({ what, why }) =>
          `${what
            .split('/')
            .at(-1)
            ?.replace(/^\d+-\d+-\d+-/, '')}：${why}`,
      );
      expect(new Set(whys)).toEqual(
        new Set([
          `${site.pictures[0]}：文件不在导出里`,
          '_CON.md：不是 UTF-8 编码',
          '👨‍👩‍👧-表情.md：私密（secret）读不懂',
          '有图-第三稿.md：开头的 moye 信息缺失或读不懂',
          expect.stringMatching(
            /^读者 在《有图 第三稿》下的评论（[0-9a-f]{24}）：它的文章不在这里$/,
          ) as string,
        ]),
      );
      expect(counts.articles.left).toBe(3);
      expect(counts.versions.left).toBeGreaterThan(2);
      const changed = "select count(*) from article_bodies where content like '%明月松间照%'";
      expect(await there.storage.count(changed)).toBe(1);
    },
  );
});
