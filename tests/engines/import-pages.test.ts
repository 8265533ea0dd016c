import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { navigationOf } from '../../src/lib/contract/rules/navigation.ts';
import type { ForeignFriend } from '../../src/lib/importers/site/foreign-site.ts';
import { PRODUCTS } from '../../src/lib/importers/site/products.ts';
import type { App } from '../../src/lib/server/app.ts';
import { haloBackup, extensionsData, type HaloRow } from '../unit/cli/import/halo-backup.ts';
import { FIXTURES } from './import-stage.ts';
import { openSiteCommandStage, type SiteCommandStage } from './site-command-stage.ts';

let stage: SiteCommandStage;
afterEach(() => stage?.close());

const DEFAULTS = new Set(navigationOf({ nav: {}, links: [] }).map(({ href }) => href));
const fixture = (name: string): string => join(FIXTURES, 'pages', name);

/** Pages as `parent/slug title state`, in the order of their tree. */
async function treeOf({ services }: App): Promise<string[]> {
  const pages = await services.pages.tree();
  const slugs = new Map(pages.map(({ _id, slug }) => [_id, slug]));
  return pages.map(({ slug, parent, title, state }) =>
    [`${parent === '' ? '' : `${slugs.get(parent)}/`}${slug}`, title, state].join(' '),
  );
}

/** Former paths of pages, with the slug that each redirects to. */
async function redirectsOf({ services }: App): Promise<Record<string, string>> {
  const slugs = new Map((await services.pages.tree()).map(({ _id, slug }) => [_id, slug]));
  const found: Record<string, string> = {};
  for await (const batch of services.formerPaths.list())
    for (const { address, articleId } of batch) {
      const slug = slugs.get(articleId);
      if (slug !== undefined) found[address] = slug;
    }
  return found;
}

/** Entries that differ from the default, or are before such an entry, as `text href place`. */
async function navigationIn({ services }: App): Promise<string[]> {
  const all = navigationOf(await services.site.read());
  const last = all.findLastIndex((entry) => !DEFAULTS.has(entry.href) || entry.href === '/home');
  return all.slice(0, last + 1).map(({ text, href, place }) => [text, href, place].join(' '));
}

async function closedIn({ services }: App): Promise<string[]> {
  const rows = await stage.rows('select id, comments_closed from articles where is_page = 1');
  const closed = new Set(rows.filter((row) => row['comments_closed'] === 1).map(({ id }) => id));
  return (await services.pages.tree()).filter(({ _id }) => closed.has(_id)).map(({ slug }) => slug);
}

async function friendsIn(name: string, path: string): Promise<readonly ForeignFriend[]> {
  const product = PRODUCTS.find((each) => each.name === name);
  const site = await product?.open(path, { origins: [], uploads: undefined, pages: true });
  const friends = site?.friends?.() ?? [];
  await site?.close();
  return friends;
}

async function run(path: string): Promise<string> {
  const { code, output, errors } = await stage.moye(path);
  expect([code, errors]).toEqual([0, '']);
  return output;
}

test('pages of WordPress keep parents, order, slugs, addresses and menus', async () => {
  stage = await openSiteCommandStage('wordpress');
  const { app } = stage;
  const output = await run(fixture('wordpress.xml'));
  expect(await treeOf(app)).toEqual([
    'xie-zhe 写着 draft',
    'products 产品 published',
    'products/team-2 产品团队 published',
    'about 关于 published',
    'about/team 团队 published',
    'team/third 第三层 published',
    'team/fourth 第四层 published',
    'self 自己 secret',
  ]);
  expect(await closedIn(app)).toEqual(['about']);
  expect(await redirectsOf(app)).toEqual({
    '/?p=20': 'about',
    '/?p=21': 'team',
    '/?p=22': 'products',
    '/?p=23': 'team-2',
    '/?p=24': 'third',
    '/?p=25': 'fourth',
    '/?p=26': 'xie-zhe',
    '/?p=27': 'self',
    '/about': 'about',
    '/about/team': 'team',
    '/about/team/third': 'third',
    '/about/team/third/fourth': 'fourth',
    '/products': 'products',
    '/products/team': 'team-2',
    '/self': 'self',
  });
  expect(await navigationIn(app)).toEqual([
    '产品 /p/products header',
    '关于我们 /p/about header',
    '团队 /p/team header',
    '技术 /tag/detail/%E6%8A%80%E6%9C%AF header',
    '老论坛 https://forum.example/ header',
    '首页 /home header',
    '第三 /p/third footer',
  ]);
  for (const line of [
    '页面《产品团队》：页面的地址 team 已有别的页面用了，改成了 team-2',
    '页面《第四层》：不能放在原来的上级页面下面，移到了更上一层',
    '导航“坏的”：指向的不是导入的文章或页面，没有导入',
    '导航“没有的”：指向的不是导入的文章或页面，没有导入',
  ])
    expect(output).toContain(line);
  expect(output).toContain('新增 9（其中 8 个页面）');
  // The address of an article is in words even where its site showed numbers.
  const hello = await stage.rows("select address from articles where title = '文章'");
  expect(hello).toEqual([{ address: 'hello-post' }]);
  const ofPages = await stage.rows(
    'select count(*) as n from article_slugs join articles on id = article_id where is_page = 1',
  );
  expect(Number(ofPages[0]?.['n'])).toBe(0);
});

test('pages of Ghost keep slugs, addresses, both menus and recommendations', async () => {
  stage = await openSiteCommandStage('ghost');
  const { app } = stage;
  const output = await run(fixture('ghost.json'));
  expect(await treeOf(app)).toEqual([
    'about 关于 published',
    'contact 联系 published',
    'draft-page 写着 draft',
  ]);
  expect(await redirectsOf(app)).toEqual({
    '/about': 'about',
    '/contact': 'contact',
    '/draft-page': 'draft-page',
  });
  expect(await navigationIn(app)).toEqual([
    '首页 /home header',
    '关于 /p/about header',
    '联系 /p/contact footer',
    '外面 https://else.example/ footer',
  ]);
  expect(output).toContain('导航“标签”：指向的不是导入的文章或页面，没有导入');
  expect(await friendsIn('ghost', fixture('ghost.json'))).toEqual([
    {
      name: '邻居',
      address: 'https://neighbour.example/',
      description: '写诗',
      logo: 'https://neighbour.example/i.png',
    },
  ]);
  // Unchanged, although the page was featured there, which pages cannot be.
  expect((await stage.moye(fixture('ghost.json'))).output).toContain('新增 0，更新 0，未变 4，失败 0');
});

const FRIENDS = [
  {
    name: '甲',
    address: 'https://a.example/',
    description: '写字的',
    logo: 'https://a.example/l.png',
    group: '朋友',
  },
  { name: '乙', address: 'https://b.example/', group: '常去' },
];

test('pages of Typecho keep parents, order, slugs, comments and links', async () => {
  stage = await openSiteCommandStage('typecho');
  const { app } = stage;
  await run(fixture('typecho.sql'));
  expect(await treeOf(app)).toEqual([
    'about 关于 published',
    'about/team 关于团队 published',
    'guan-yu 关于 draft',
    'links 友链 published',
    'hidden 藏着 published',
  ]);
  expect(await closedIn(app)).toEqual(['about', 'guan-yu']);
  expect(await redirectsOf(app)).toEqual({
    '/about': 'about',
    '/hidden': 'hidden',
    '/index.php/about': 'about',
    '/index.php/hidden': 'hidden',
    '/index.php/links': 'links',
    '/index.php/team': 'team',
    '/links': 'links',
    '/team': 'team',
  });
  expect(await navigationIn(app)).toEqual([
    '首页 /home header',
    '关于 /p/about header',
    '友链 /p/links header',
  ]);
  expect(await friendsIn('typecho', fixture('typecho.sql'))).toEqual(FRIENDS);
  const comments = await stage.rows('select content from comments');
  expect(comments).toEqual([{ content: '求换友链' }]);
});

test('pages of Halo keep slugs, addresses, the primary menu and links', async () => {
  stage = await openSiteCommandStage('halo');
  const { app } = stage;
  const rows = JSON.parse(readFileSync(fixture('halo.json'), 'utf8')) as HaloRow[];
  const file = join(stage.place, 'halo.zip');
  writeFileSync(file, await haloBackup(extensionsData(rows)));
  await run(file);
  expect(await treeOf(app)).toEqual([
    'links 友链 published',
    'about 关于 published',
    'self 私下 secret',
    'draft-page 写着 draft',
  ]);
  expect(await closedIn(app)).toEqual(['about']);
  expect(await redirectsOf(app)).toEqual({ '/about': 'about', '/links': 'links', '/self': 'self' });
  expect(await navigationIn(app)).toEqual([
    '首页 /home header',
    '关于 /p/about header',
    '友链 /p/links header',
    'Java /tag/detail/Java header',
  ]);
  expect(await friendsIn('halo', file)).toEqual(FRIENDS);
});

test('a second import changes neither pages nor a navigation that the operator has changed', async () => {
  stage = await openSiteCommandStage('ghost');
  const { pages, site } = stage.app.services;
  await run(fixture('ghost.json'));
  const [about, contact, draft] = (await pages.tree()).map(({ _id }) => _id) as [string, string, string];
  const placed = [
    { id: contact, parent: '' },
    { id: about, parent: contact },
    { id: draft, parent: '' },
  ];
  const operator = { id: about, username: '站长', signinId: '', origin: '', role: 'operator' as const };
  await pages.order({ pages: placed }, operator);
  await pages.change({ id: about, slug: 'me', in_feeds: true }, operator);
  const chosen = navigationOf(await site.read()).filter(({ href }) => href !== '/p/about');
  await site.change({ navigation: chosen }, { id: about });
  const before = [await treeOf(stage.app), await navigationIn(stage.app)];
  const output = await run(fixture('ghost.json'));
  expect([await treeOf(stage.app), await navigationIn(stage.app)]).toEqual(before);
  expect(output).toContain('本站的导航已经改过，没有加进去：关于（/p/me）');
  expect(output).not.toContain('已有别的页面用了');
});

test('a dry run foresees pages and navigation, and writes nothing', async () => {
  stage = await openSiteCommandStage('wordpress');
  const foreseen = (await stage.moye(fixture('wordpress.xml'), '--dry-run')).output;
  expect(await treeOf(stage.app)).toEqual([]);
  expect(await navigationIn(stage.app)).toEqual(['首页 /home header']);
  expect(await run(fixture('wordpress.xml'))).toBe(foreseen.replace('试运行，没有写入任何内容。\n', ''));
});

test('a page that was imported as a secret article remains one', async () => {
  stage = await openSiteCommandStage('ghost');
  const whole = readFileSync(fixture('ghost.json'), 'utf8');
  const asArticle = join(stage.place, 'ghost.json');
  writeFileSync(asArticle, whole.replaceAll('"type": "page"', '"type": "post"'));
  await run(asArticle);
  const output = await run(fixture('ghost.json'));
  expect(await treeOf(stage.app)).toEqual([]);
  expect(output).toContain('页面《关于》：以前导入成了私密文章，仍是文章，没有变成页面');
  const secret = await stage.rows("select secret, is_page from articles where title = '关于'");
  expect(secret).toEqual([{ secret: 1, is_page: 0 }]);
});
