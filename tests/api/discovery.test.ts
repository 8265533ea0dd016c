import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMarkdownFile } from '../../src/lib/markdown-file/read-file.ts';
import { openSite, ORIGIN, uploadPicture } from './discovery-stage.ts';
import { done, type Person, type TestServer, type Untyped } from './server.ts';

let server: TestServer;
let author: Person;
let cover: string;
let id: string;
const TITLE = '说“引号”</script> & [链接](x)\u2028';
const FIELDS = {
  content: '# 开篇\n\n---\n\n上文\n\n<--阅读全文-->\n\n下文 `x`',
  tags: ['诗', '- [不是列表]'],
  description: '两行说明: #1',
  licence: 'cc-by-4.0',
  source: 'https://example.com/a',
};

beforeAll(async () => {
  server = await openSite();
  author = await server.join('王维');
  await server.join('无文');
  cover = await uploadPicture(server, author);
  id = await server.write(author, { title: TITLE.replace('\u2028', ''), cover, ...FIELDS });
});
afterAll(() => server?.close());

describe('an article as markdown', () => {
  test('is a file that imports as the same article', async () => {
    const { status, headers, text } = await server.send(`/detail/${id}.md`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(headers.get('link')).toBe(`<${ORIGIN}/detail/${id}>; rel="canonical"`);
    expect(headers.get('x-robots-tag')).toBe('noindex');
    const { fields, notes } = readMarkdownFile(new TextEncoder().encode(text), `${id}.md`);
    expect(notes).toEqual([]);
    expect(fields).toEqual({ title: TITLE.replace('\u2028', ''), cover, ...FIELDS });
    expect(text).toMatch(/^author: "王维"$/m);
  });

  test('of an unknown article is 404, at its only URL', async () => {
    expect((await server.send(`/detail/${'f'.repeat(24)}.md`)).status).toBe(404);
    expect((await server.send('/detail/x.md')).status).toBe(404);
    expect((await server.send(`/detail/${id}`)).text).toContain(`href="/detail/${id}.md"`);
  });
});

test('/llms.txt lists the newest articles by title, opening and source URL', async () => {
  const { headers, text } = await server.send('/llms.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text.startsWith('# 墨页\n\n> 写字 & 读书\n')).toBe(true);
  expect(text).toContain(`](${ORIGIN}/detail/${id}.md)：王维，两行说明: #1`);
  // Each title is exactly one link, whatever characters it contains.
  expect(text.match(/\]\(https:/g)).toHaveLength(4);
});

describe('the head of a page', () => {
  const head = async (path: string) => (await server.send(path)).text.split('</head>')[0] ?? '';
  const factsIn = (html: string): Untyped[] =>
    [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].flatMap(
      ([, json = '']) => (JSON.parse(json) as { '@graph': Untyped[] })['@graph'],
    );

  test('of an article has author, dates, description and cover', async () => {
    const html = await head(`/detail/${id}`);
    const { create_time, update_time } = done(await server.post('/api/page/detail', { id }));
    for (const [name, value] of [
      ['property="og:type"', 'article'],
      ['property="og:image"', ORIGIN + cover],
      ['property="og:url"', `${ORIGIN}/detail/${id}`],
      ['property="article:published_time"', create_time],
      ['property="article:modified_time"', update_time],
      ['property="article:tag"', '诗'],
      ['name="twitter:card"', 'summary_large_image'],
      ['itemprop="image"', ORIGIN + cover],
      ['itemprop="description"', '两行说明: #1'],
    ])
      expect(html).toContain(`<meta ${name} content="${value}">`);
    expect(html).toMatch(/<meta itemprop="name" content="说“引号”/);
    const facts = factsIn(html);
    expect(facts.map((fact) => fact['@type'])).toEqual(['BlogPosting', 'BreadcrumbList']);
    expect(facts[0]).toMatchObject({
      headline: TITLE.replace('\u2028', ''),
      image: ORIGIN + cover,
      datePublished: create_time,
      author: { '@type': 'Person', name: '王维' },
      license: expect.stringContaining('creativecommons.org/licenses/by/4.0'),
    });
    expect(facts[1].itemListElement.map(({ name }: Untyped) => name)).toEqual([
      '首页',
      '诗',
      TITLE.replace('\u2028', ''),
    ]);
  });

  test('and breadcrumbs show the same path', async () => {
    const series = done(await server.post('/api/series/create', { title: '山水' }, author.token))._id;
    const part = await server.write(author, { title: '鹿柴', tags: ['诗'], series });
    const [year = '', month = ''] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })
      .format(new Date())
      .split('-');
    const user = encodeURIComponent('王维');
    for (const [path, way] of [
      [`/detail/${part}`, ['山水', '鹿柴']],
      [`/tag/detail/${encodeURIComponent('诗')}`, ['标签', '诗']],
      [`/archive/${year}/${Number(month)}`, ['归档', `${year} 年`, `${Number(month)} 月`]],
      [`/archive/user/${user}`, ['王维', '归档']],
    ] as const) {
      const { text: html } = await server.send(path);
      const told = factsIn(html).find((fact) => fact['@type'] === 'BreadcrumbList')?.itemListElement;
      expect(
        told.map(({ name }: Untyped) => name),
        path,
      ).toEqual(['首页', ...way]);
      const [, shown = ''] = /<nav aria-label="当前位置".*?>(.*?)<\/nav>/s.exec(html) ?? [];
      const links = [...shown.matchAll(/<a href="([^"]*)"[^>]*>\s*<bdi>([^<]*)/g)];
      expect(links.map(([, href, name]) => [ORIGIN + href, name])).toEqual(
        told.slice(1, -1).map(({ item, name }: Untyped) => [item, name]),
      );
    }
  });

  test('of other pages describes them', async () => {
    const typesOf = async (path: string) => factsIn(await head(path)).map((fact) => fact['@type']);
    expect(await typesOf('/home')).toEqual(['WebSite']);
    const profile = factsIn(await head(`/user/info/${encodeURIComponent('王维')}`));
    expect(profile.map((fact) => fact['@type'])).toEqual(['ProfilePage', 'BreadcrumbList']);
    expect(profile[0].mainEntity).toMatchObject({ '@type': 'Person', name: '王维' });
    expect(await typesOf(`/tag/detail/${encodeURIComponent('诗')}`)).toEqual(['BreadcrumbList']);
    const [site] = factsIn(await head('/home'));
    const search = site.potentialAction.target.urlTemplate.replace('{keywords}', encodeURIComponent('引号'));
    const answer = await server.send(search.slice(ORIGIN.length));
    expect(answer.headers.get('location')).toBe(`/home/${encodeURIComponent('引号')}`);
  });

  test('has a canonical URL on indexable pages only', async () => {
    const canonicalOf = async (path: string) =>
      /<link rel="canonical" href="([^"]*)"/.exec(await head(path))?.[1];
    const isHidden = async (path: string) =>
      (await head(path)).includes('<meta name="robots" content="noindex">');
    for (let index = 0; index < 11; index++) await server.write(author, { title: `第 ${index} 篇` });
    expect(await canonicalOf('/home')).toBe(`${ORIGIN}/home`);
    expect(await canonicalOf('/home?page=1&utm_source=x')).toBe(`${ORIGIN}/home`);
    expect(await canonicalOf('/home?page=2')).toBe(`${ORIGIN}/home?page=2`);
    expect(await isHidden('/home')).toBe(false);
    for (const path of [`/home/${encodeURIComponent('引号')}`, `/user/info/${encodeURIComponent('无文')}`]) {
      expect(await isHidden(path), path).toBe(true);
      expect(await canonicalOf(path), path).toBeUndefined();
    }
    expect(await isHidden(`/user/info/${encodeURIComponent('王维')}`)).toBe(false);
  });
});

test('the IndexNow key is served at its own URL only', async () => {
  const INDEXNOW_KEY = 'a-key-of-indexnow-1';
  const site = await openSite({ INDEXNOW_KEY });
  try {
    const { status, text } = await site.send(`/${INDEXNOW_KEY}.txt`);
    expect([status, text]).toEqual([200, INDEXNOW_KEY]);
    expect((await site.send('/another-key.txt')).status).toBe(404);
  } finally {
    await site.close();
  }
  expect((await server.send('/undefined.txt')).status).toBe(404);
});
