import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../src/lib/server/app.ts';
import { publishGuides } from '../../src/lib/server/guides/guides.ts';
import { openBackupStage, type BackupStage, type Home } from './backup-stage.ts';
import { exportFrom, importInto, openHome, sameDigests } from './export-stage.ts';

let stage: BackupStage;
let old: Home;
/** Export of `old`, whose readers have commented on its guides. */
let path: string;
beforeAll(async () => {
  stage = await openBackupStage();
  old = await commentedSite();
  path = join(stage.folder, 'export');
  await exportFrom(old, path);
});
afterAll(() => stage.close());

/** Opens a site that has published its guides, and does `work` on it. */
async function guidedSite(
  name: string,
  work: (app: App) => Promise<unknown> = async () => {},
): Promise<Home> {
  const home = await stage.home(name);
  const app = await openHome(home);
  try {
    await publishGuides(app);
    await work(app);
  } finally {
    await app.close();
  }
  return home;
}

const viewerOf = async ({ services }: App, username: string) => {
  const user = await services.users.find(username);
  return { id: user?._id ?? '', username, signinId: '', origin: '' };
};

async function addUser(app: App, username: string) {
  await app.services.accounts.add({ username, password: '松风吹解带山月照弹琴', bio: '' });
  return viewerOf(app, username);
}

const giveEmail = async (app: App, username: string, address: string) => {
  const { id } = await viewerOf(app, username);
  const row = { user_id: id, address, address_key: address.toLowerCase(), create_time: 1 };
  await app.db.write(async (trx) => void (await trx.insertInto('user_emails').values(row).execute()));
};

async function guideIds(app: App): Promise<string[]> {
  return (await app.db.read.selectFrom('articles').select('id').orderBy('seq').execute()).map(({ id }) => id);
}

const blank = { request_id: '', reply_user: '', reply_content: '' };

const commentedSite = () =>
  guidedSite('old', async (app) => {
    const reader = await addUser(app, '读者');
    await giveEmail(app, '读者', 'A@example.com');
    for (const page_id of await guideIds(app))
      await app.services.comments.create({ ...blank, page_id, content: '写得好' }, reader);
    const article = { title: '山', content: '空山', type: '', status: 'normal' as const, secret: false };
    const { id } = await app.services.articles.create({ ...article, tags: ['指南', '山'] }, reader);
    await app.services.comments.create({ ...blank, page_id: id, content: '好' }, reader);
  });

/** Imports an export into the site after a dry run, whose report must be the same. */
async function importForeseen(home: Home, from: string) {
  const foreseen = await importInto(home, from, { isDryRun: true });
  const report = await importInto(home, from);
  expect(report).toEqual(foreseen);
  return report;
}

test('the guides of an untouched site are removed: the import is the exported site', async () => {
  const there = await guidedSite('there');
  const before = await sameDigests(there);
  await importInto(there, path, { isDryRun: true });
  expect(await sameDigests(there)).toEqual(before);
  const { counts, losses } = await importForeseen(there, path);
  expect(losses).toEqual([]);
  expect(counts.comments).toEqual({ created: 4, same: 0, left: 0 });
  expect(await sameDigests(there)).toEqual(await sameDigests(old));
  const again = await importForeseen(there, path);
  expect(again.counts.articles).toEqual({ created: 0, same: 4, left: 0 });
});

test('an operator’s new account does not keep the guides', async () => {
  const there = await guidedSite('operated', (app) => addUser(app, '站长'));
  expect((await importForeseen(there, path)).losses).toEqual([]);
  expect(await there.storage.count('select count(*) from users')).toBe(3);
  expect(await there.storage.count('select count(*) from articles')).toBe(4);
});

const TOUCHES: Record<string, (app: App) => Promise<unknown>> = {
  'a comment': async (app) =>
    app.services.comments.create(
      { ...blank, page_id: (await guideIds(app))[0] ?? '', content: '好' },
      await addUser(app, '看客'),
    ),
  'an article': async (app) =>
    app.services.articles.create(
      { title: '山', content: '空山', tags: [], type: '', status: 'draft', secret: false },
      await addUser(app, '看客'),
    ),
  'a changed guide': async (app) => {
    const [id = ''] = await guideIds(app);
    const viewer = await viewerOf(app, '墨页');
    const { title, tags, update_time } = await app.services.articles.readSource(id, viewer);
    const fields = { title, tags, content: '改过', type: '', secret: false, status: 'normal' as const };
    await app.services.articles.edit({ ...fields, id, update_time }, viewer);
  },
};

test.each(Object.entries(TOUCHES))(
  '%s keeps the guides, and the dry run tells what is lost',
  async (touched, touch) => {
    const there = await guidedSite(touched, touch);
    const { counts, losses } = await importForeseen(there, path);
    expect(losses[0]?.what).toBe('用户 墨页');
    expect(counts.comments).toMatchObject({ created: 1, left: 3 });
    expect(await there.storage.count("select count(*) from users where username = '墨页'")).toBe(1);
  },
);

test('a site’s own export leaves its guides as they are', async () => {
  const there = await guidedSite('same');
  const own = join(stage.folder, 'own');
  await exportFrom(there, own);
  const before = await sameDigests(there);
  expect((await importForeseen(there, own)).counts.articles).toEqual({ created: 0, same: 3, left: 0 });
  expect(await sameDigests(there)).toEqual(before);
});

test('the dry run foresees addresses of accounts that are taken', async () => {
  const there = await guidedSite('taken', async (app) => {
    await addUser(app, '站长');
    await giveEmail(app, '站长', 'a@example.com');
  });
  expect((await importForeseen(there, path)).losses).toEqual([
    { what: '用户 读者 的邮箱', why: '这里已有别的账号用这个邮箱' },
  ]);
});
