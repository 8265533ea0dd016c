import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { navigationOf } from '../../src/lib/contract/rules/navigation.ts';
import type { ImportOptions } from '../../src/lib/importers/folder/import-run.ts';
import type { App } from '../../src/lib/server/app.ts';
import { haloBackup, extensionsData, type HaloRow } from '../unit/cli/import/halo-backup.ts';
import { FIXTURES, openImportStage, type ImportStage } from './import-stage.ts';
import { openSiteCommandStage, type SiteCommandStage } from './site-command-stage.ts';

let stage: SiteCommandStage;

const DEFAULTS = navigationOf({ nav: {}, links: [] }).map(({ text, href }) => `${text} ${href}`);
const fixture = (name: string): string => join(FIXTURES, 'pages', name);

const FRIENDS = ['朋友 甲 https://a.example/ 写字的', '常去 乙 https://b.example/'];

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
  const last = all.findLastIndex(
    (entry) => !DEFAULTS.includes(`${entry.text} ${entry.href}`) || entry.text === '首页',
  );
  return all.slice(0, last + 1).map(({ text, href, place }) => [text, href, place].join(' '));
}

async function closedIn(
  { services }: App,
  { rows: read }: Pick<SiteCommandStage, 'rows'> = stage,
): Promise<string[]> {
  const rows = await read('select id, comments_closed from articles where is_page = 1');
  const closed = new Set(rows.filter((row) => row['comments_closed'] === 1).map(({ id }) => id));
  return (await services.pages.tree()).filter(({ _id }) => closed.has(_id)).map(({ slug }) => slug);
}

async function friendsIn({ services }: App): Promise<string[]> {
  const friends = await services.friends.list();
  return friends.map(({ name, url, description, group, feed }) =>
    [group, name, url, description, feed].join(' ').trim(),
  );
}

async function run(path: string): Promise<string> {
  const { code, output, errors } = await stage.moye(path);
  expect([code, errors]).toEqual([0, '']);
  return output;
}

describe('a site of a product', () => {
  afterEach(() => stage.close());

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
    expect(await friendsIn(app)).toEqual(['邻居 https://neighbour.example/ 写诗']);
    expect(output).toContain('友链：1 个图标不在来源里，没有导入，可以在控制台填写');
    // Unchanged, although the page was featured there, which pages cannot be.
    expect((await stage.moye(fixture('ghost.json'))).output).toContain('新增 0，更新 0，未变 4，失败 0');
  });

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
    expect(await friendsIn(app)).toEqual(FRIENDS);
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
    expect(await friendsIn(app)).toEqual(FRIENDS);
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
    expect(await friendsIn(stage.app)).toHaveLength(1);
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
});

describe('a folder of Markdown', () => {
  let folder: ImportStage;
  afterEach(() => folder.close());

  const page = (title: string, more = '', body = '文字') => `---\ntitle: ${title}\n${more}\n---\n${body}\n`;

  async function load(files: Record<string, string>, options: Partial<ImportOptions> = {}) {
    folder = await openImportStage();
    folder.put(files);
    return folder.run({ makesPages: true, ...options });
  }

  const HEXO = {
    'package.json': '{"dependencies": {"hexo": "7"}}',
    '_config.yml': 'title: 站\nurl: https://old.example\ntheme: butterfly\n',
    '_config.butterfly.yml':
      'menu:\n  首页: / || fas fa-home\n  关于: /about/ || fas fa-user\n  清单||fas fa-list:\n    团队: /about/team/ || fas fa-users\n    标签云: /tags/\n  商店: /shop/\n  邻居: /link/\n',
    'source/_data/link.yml':
      '- class_name: 朋友\n  class_desc: 常来\n  link_list:\n    - name: 甲\n      link: https://a.example/\n      avatar: https://a.example/l.png\n      descr: 写字的\n- class_name: 常去\n  link_list:\n    - name: 乙\n      link: https://b.example/\n',
    'source/_posts/hello.md': page('文章', 'date: 2020-01-02', '见[团队](/about/team/)'),
    'source/about/index.md': page('关于', 'date: 2020-01-01\ncomments: false'),
    'source/about/team/index.md': page('团队'),
    'source/products/team/index.md': page('产品团队'),
    'source/link/index.md': page('友链', 'type: link', ''),
    'source/tags/index.md': page('标签', 'type: tags', '生成的列表'),
    'source/secret/index.md': page('写着', 'published: false'),
  };

  test('of Hexo keeps pages with parents and addresses, the menu of its theme and friends', async () => {
    const report = await load(HEXO);
    expect(await treeOf(folder.app)).toEqual([
      'about 关于 published',
      'about/team 团队 published',
      'team-2 产品团队 published',
      'secret 写着 draft',
    ]);
    expect(await closedIn(folder.app, folder)).toEqual(['about']);
    expect(await redirectsOf(folder.app)).toEqual({
      '/about': 'about',
      '/about/team': 'team',
      '/products/team': 'team-2',
      '/secret': 'secret',
    });
    expect(await navigationIn(folder.app)).toEqual([
      '首页 /home header',
      '关于 /p/about header',
      '团队 /p/team header',
      '标签云 /tag/list header',
      '邻居 /friends header',
    ]);
    expect(report.pages.map(({ path }) => path)).toEqual(['source/link/index.md', 'source/tags/index.md']);
    expect(report.warnings.map(({ text }) => text)).toEqual([
      '导航“商店”：指向的不是导入的文章或页面，没有导入',
      '友链：1 个图标不在来源里，没有导入，可以在控制台填写',
      '页面的地址 team 已有别的页面用了，改成了 team-2',
    ]);
    expect(await friendsIn(folder.app)).toEqual(FRIENDS);
    expect(await folder.run({ makesPages: true })).toMatchObject({ counts: { created: 0, unchanged: 5 } });
  });

  test('of an author who may not make pages has them as secret articles, or not at all', async () => {
    const { warnings } = await load(HEXO, { makesPages: false, takesPages: true });
    expect(await treeOf(folder.app)).toEqual([]);
    expect(warnings.map(({ text }) => text)).toContain(
      '作者 不是站长，不能建网站的页面，页面导入为仅自己可见的文章',
    );
    expect((await folder.articles()).get('关于')).toMatchObject({ secret: true });
    expect(await navigationIn(folder.app)).toEqual(['首页 /home header']);
    const later = await folder.run({ makesPages: true });
    expect(await treeOf(folder.app)).toEqual([]);
    expect(later.warnings.map(({ text }) => text)).toContain('以前导入成了私密文章，仍是文章，没有变成页面');
    expect((await folder.articles()).get('关于')).toMatchObject({ secret: true });
  });

  test('of Hugo keeps pages outside of sections, menus of settings and front matter', async () => {
    await load({
      'hugo.toml':
        'baseURL = "https://old.example/"\n[[menu.main]]\nname = "友"\nurl = "/links/"\nweight = 20\n[[menu.main]]\nname = "家"\npageRef = "/"\nweight = 10\n[[menu.footer]]\nname = "外"\nurl = "https://else.example/"\n',
      'content/posts/hello.md': page('文章', 'date: 2020-01-02'),
      'content/about/_index.md': page('关于', 'weight: 1'),
      'content/about/team.md': page('团队'),
      'content/links.md': page('友链', 'date: 2020-01-01\nslug: friends\nurl: /links/'),
      'content/now.md': page('此刻', 'date: 2020-03-01\nmenu: main'),
      'content/team/index.md': page('别的团队', 'menu:\n  footer:\n    name: 人'),
      'content/undated.md': page('没有日期的文章'),
      'data/friends.json': JSON.stringify([
        { title: '甲', url: 'https://a.example/', description: '写字的', logo: 'https://a.example/l.png' },
      ]),
    });
    expect(await treeOf(folder.app)).toEqual([
      'about 关于 published',
      'about/team 团队 published',
      'friends 友链 published',
      'now 此刻 published',
      'team-2 别的团队 published',
    ]);
    expect(await redirectsOf(folder.app)).toEqual({
      '/about': 'about',
      '/about/team': 'team',
      '/links': 'friends',
      '/now': 'now',
      '/team': 'team-2',
    });
    expect(await navigationIn(folder.app)).toEqual([
      '家 /home header',
      '友 /p/friends header',
      '外 https://else.example/ footer',
      '此刻 /p/now header',
      '人 /p/team-2 footer',
    ]);
    expect(await friendsIn(folder.app)).toEqual(['甲 https://a.example/ 写字的']);
    expect([...(await folder.articles()).keys()].toSorted()).toEqual(['文章', '没有日期的文章'].toSorted());
  });

  test('of Jekyll keeps pages at its root, navigation data and header pages', async () => {
    await load({
      '_config.yml': 'url: https://old.example\nheader_pages: [contact.md]\n',
      '_data/navigation.yml':
        'main:\n  - title: 关于\n    url: /about/\n    children:\n      - title: 团队\n        url: /about/team/\n',
      '_data/links.yml':
        '朋友:\n  - name: 甲\n    url: https://a.example/\n    rss: https://a.example/f.xml\n',
      '_posts/2020-01-02-hello.md': page('文章'),
      'about.md': page('关于', 'permalink: /about/'),
      'about/team.md': page('团队', 'nav_order: 2'),
      'about/history.md': page('历史', 'nav_order: 1'),
      '_pages/contact/team.md': page('联系团队', 'permalink: /contact/team/'),
      'contact.md': page('联系'),
      'index.md': page('首页'),
      '404.md': page('404'),
    });
    expect(await treeOf(folder.app)).toEqual([
      'about 关于 published',
      'about/history 历史 published',
      'about/team 团队 published',
      'contact 联系 published',
      'contact/team-2 联系团队 published',
    ]);
    expect(await redirectsOf(folder.app)).toEqual({
      '/about': 'about',
      '/about/history': 'history',
      '/about/team': 'team',
      '/contact': 'contact',
      '/contact/team': 'team-2',
    });
    expect(await navigationIn(folder.app)).toEqual([
      '首页 /home header',
      '关于 /p/about header',
      '团队 /p/team header',
      '联系 /p/contact header',
    ]);
    expect(await friendsIn(folder.app)).toEqual(['朋友 甲 https://a.example/  https://a.example/f.xml']);
  });

  test('with data that contains itself or is too deep has neither menu nor friends', async () => {
    await load({
      '_config.yml': 'url: https://old.example\n',
      '_data/navigation.yml': '&a\n- *a\n',
      '_data/links.json': `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      '_posts/2020-01-02-hello.md': page('文章'),
    });
    expect(await navigationIn(folder.app)).toEqual(['首页 /home header']);
  });
});
