import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_LOOK } from '../../src/lib/contract/rules/looks.ts';
import { LISTS } from '../../src/lib/server/export/format.ts';
import { openBackupStage, type BackupStage } from './backup-stage.ts';
import { exportFrom, importInto, openHome } from './export-stage.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#f00" d="M0 0h9v9H0z"/></svg>';
const LOOK = { ...structuredClone(DEFAULT_LOOK), name: '圆', shape: { radius: 9, rhythm: 1.2 } };
const OTHER = { ...LOOK, name: '方', shape: { radius: 0, rhythm: 0.9 } };
const IDENTITY = {
  title: '纸上谈',
  navigation: [{ text: '随笔', href: '/tag/detail/随笔', place: 'header' as const }],
  look: LOOK,
  style: 'main p{color:var(--soft)}',
};

let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage.close());

type Home = Awaited<ReturnType<BackupStage['home']>>;

async function within<T>(home: Home, work: (app: Awaited<ReturnType<typeof openHome>>) => Promise<T>) {
  const app = await openHome(home);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function siteWithLooks() {
  const site = await stage.home('site');
  await within(site, async ({ services }) => {
    const id = await services.auth.addUser({
      username: '掌灯人',
      password: 'lamp-and-oil-9',
      gender: 'x',
      bio: '',
    });
    await services.site.change(IDENTITY, { id });
    await services.site.setLogo(Buffer.from(LOGO), { id });
    await services.looks.save(LOOK, { id });
    await services.looks.save(OTHER, { id });
    await services.options.change({ signup: 'closed' }, id);
  });
  return site;
}

const identityOf = (home: Home) =>
  within(home, async ({ services }) => ({
    identity: await services.site.identity(),
    saved: (await services.looks.list()).saved,
    signup: (await services.options.read()).signup,
  }));

test('look, style sheet, saved looks, navigation and logo of a site come back from its export', async () => {
  const site = await siteWithLooks();
  const folder = join(stage.folder, 'out');
  await exportFrom(site, folder);
  const there = await stage.home('there');
  const before = await identityOf(there);
  await importInto(there, folder, { isDryRun: true });
  expect(await identityOf(there)).toEqual(before);
  expect((await importInto(there, folder)).losses).toEqual([]);
  const after = await identityOf(there);
  const { identity, saved } = await identityOf(site);
  expect(identity).toMatchObject({ title: '纸上谈', look: LOOK });
  expect(identity.navigation[0]).toEqual(IDENTITY.navigation[0]);
  expect(identity.style).toContain('color');
  expect(identity.logo).toMatch(/^\/site-logo/);
  expect(after).toEqual({ identity, saved, signup: before.signup });
  expect(saved).toEqual([LOOK, OTHER]);
  // Again, into the other engine where there are two.
  const zip = join(stage.folder, 'out.zip');
  await exportFrom(there, zip);
  const back = await stage.home('back', { isSqlite: true });
  await importInto(back, zip);
  expect((await identityOf(back)).identity).toEqual(identity);
});

test('what the site has set itself stays', async () => {
  const folder = join(stage.folder, 'out');
  await exportFrom(await siteWithLooks(), folder);
  const there = await stage.home('there');
  await within(there, async ({ services }) => {
    const id = await services.auth.addUser({
      username: '别人',
      password: 'lamp-and-oil-9',
      gender: 'x',
      bio: '',
    });
    await services.site.change({ title: '我的' }, { id });
  });
  await importInto(there, folder);
  const { identity, saved } = await identityOf(there);
  expect(identity).toMatchObject({ title: '我的', look: DEFAULT_LOOK, style: '' });
  expect(saved).toEqual([LOOK, OTHER]);
});

test.each([
  ['a list as identity', 'site', []],
  ['nothing as identity', 'site', null],
  ['a text as looks', 'site_looks', 'looks'],
  ['a logo that is no picture', 'site_logo', { name: 'logo.svg', base64: 'PHNjcmlwdD4=' }],
  ['a logo without bytes', 'site_logo', { name: 'logo.png', base64: '' }],
])('%s is reported, and the site opens', async (_, name, value) => {
  const folder = join(stage.folder, 'out');
  await exportFrom(await siteWithLooks(), folder);
  writeFileSync(join(folder, LISTS.site), `[\n${JSON.stringify({ name, value })}\n]\n`);
  const there = await stage.home('there');
  const { losses } = await importInto(there, folder);
  expect(losses).toMatchObject([{ what: `网站的设置 ${name}` }]);
  expect((await identityOf(there)).identity).toMatchObject({ title: '墨页', logo: null });
});

test('a look and a field that this version does not know are left out, the rest is used', async () => {
  const folder = join(stage.folder, 'out');
  await exportFrom(await siteWithLooks(), folder);
  const value = { ...IDENTITY, look: { ...LOOK, list: 'spiral' }, motto: '慢' };
  writeFileSync(join(folder, LISTS.site), `[\n${JSON.stringify({ name: 'site', value })}\n]\n`);
  const there = await stage.home('there');
  await importInto(there, folder);
  expect((await identityOf(there)).identity).toMatchObject({ title: '纸上谈', look: DEFAULT_LOOK });
});

test('an author’s export has no settings of the site', async () => {
  const site = await siteWithLooks();
  const folder = join(stage.folder, 'own');
  await exportFrom(site, folder, { author: '掌灯人', withAccounts: false });
  expect(() => readFileSync(join(folder, LISTS.site))).toThrow('ENOENT');
});

const OPERATOR = { username: '掌灯人', password: 'lamp-and-oil-9', gender: 'x', bio: '' } as const;

async function siteWithPages() {
  const site = await stage.home('site');
  await within(site, async ({ services }) => {
    const { accounts, articles, comments, pages, revisions, roles, schedules } = services;
    const { id: own } = await accounts.add(OPERATOR);
    await roles.set(OPERATOR.username, 'operator', null);
    const viewer = {
      id: own,
      username: OPERATOR.username,
      signinId: '',
      origin: '',
      role: 'operator' as const,
    };
    const make = async (title: string, slug: string, status: 'normal' | 'draft', isClosed = false) => {
      const { id } = await pages.create({ title, slug }, viewer);
      for (const content of ['第一稿', '第二稿']) {
        const { update_time } = await articles.readSource(id, viewer);
        const fields = { title, content, tags: [], type: '', secret: false, comments_closed: isClosed };
        await articles.edit({ ...fields, status, id, update_time }, viewer);
      }
      return id;
    };
    const about = await make('关于', 'about', 'normal');
    const team = await make('团队', 'team', 'normal', true);
    const later = await make('以后', 'later', 'draft');
    await pages.order(
      {
        pages: [
          { id: later, parent: '' },
          { id: about, parent: '' },
          { id: team, parent: about },
        ],
      },
      viewer,
    );
    await pages.change({ id: about, slug: 'us', in_feeds: true }, viewer);
    await pages.change({ id: team, slug: '团队', in_feeds: false }, viewer);
    await schedules.set({ id: later, publish_time: new Date(Date.now() + 86_400_000).toISOString() }, viewer);
    const revision = { id: team, title: '团队', content: '还没发布', tags: [], secret: false };
    await revisions.save(revision, viewer);
    const blank = { request_id: '', reply_user: '', reply_content: '' };
    await comments.create({ ...blank, page_id: about, content: '你好' }, viewer);
  });
  return site;
}

/** Everything that staff and readers see of the pages of a site. */
const pagesOf = (home: Home) =>
  within(home, async ({ services }) => {
    const { articles, comments, feeds, pages, versions } = services;
    const tree = await pages.tree();
    const user = await services.users.find(OPERATOR.username);
    const viewer = {
      id: user?._id ?? '',
      username: OPERATOR.username,
      signinId: '',
      origin: '',
      role: 'operator' as const,
    };
    const first = { page: 1, pageSize: 10 };
    return {
      tree,
      published: await pages.published(),
      sources: await Promise.all(tree.map(({ _id }) => articles.readSource(_id, viewer))),
      history: await Promise.all(
        tree.map(async ({ _id }) => (await versions.list(_id, first, viewer)).total),
      ),
      comments: await Promise.all(
        tree.map(
          async ({ _id }) =>
            (await comments.pageOfArticle(_id, { page: 1, order: 'oldest' }, null)).items.length,
        ),
      ),
      feed: ((await feeds.find('site', ''))?.items ?? []).map(({ title, page }) => [title, page]),
      found: new Set((await articles.search('稿', first)).result.map(({ item }) => item.page)),
    };
  });

test('pages come back with tree, slugs, history, schedule, comments, feed and search', async () => {
  const site = await siteWithPages();
  const folder = join(stage.folder, 'out');
  await exportFrom(site, folder);
  const there = await stage.home('there');
  expect((await importInto(there, folder)).losses).toEqual([]);
  const after = await pagesOf(there);
  expect(after).toEqual(await pagesOf(site));
  expect(after.tree.map(({ slug, state, in_feeds }) => [slug, state, in_feeds])).toEqual([
    ['later', 'scheduled', false],
    ['us', 'published', true],
    ['团队', 'published', false],
  ]);
  expect(after.published.map(({ former_slugs }) => former_slugs)).toEqual([['about'], ['team']]);
  expect(after.sources.map(({ comments_closed }) => comments_closed ?? false)).toEqual([false, false, true]);
  expect(after.sources[2]?.revision?.content).toBe('还没发布');
  expect(after.comments).toEqual([0, 1, 0]);
  expect(after.feed).toEqual([['关于', 'us']]);
  expect(after.found).toEqual(new Set(['us', '团队']));
});

test('an author’s export makes pages only for an author who may manage them', async () => {
  const site = await siteWithPages();
  const folder = join(stage.folder, 'own');
  await exportFrom(site, folder, { author: OPERATOR.username, withAccounts: false });
  const there = await stage.home('there');
  await within(there, ({ services }) => services.accounts.add({ ...OPERATOR, username: '作者' }));
  const refused = await importInto(there, folder, { author: '作者', withAccounts: false });
  expect(refused.counts.articles).toEqual({ created: 0, same: 0, left: 3 });
  expect(new Set(refused.losses.map(({ why }) => why))).toContain('是网站的页面，它的作者在这里不是站长');
  const slugs = () =>
    within(there, async ({ services }) => (await services.pages.tree()).map(({ slug }) => slug));
  expect(await slugs()).toEqual([]);
  await within(there, ({ services }) => services.roles.set('作者', 'operator', null));
  await importInto(there, folder, { author: '作者', withAccounts: false });
  expect(await slugs()).toEqual(['later', 'us', '团队']);
});
