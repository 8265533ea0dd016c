import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSite, ORIGIN } from './discovery-stage.ts';
import { done, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let other: Person;
let id: string;
beforeAll(async () => {
  server = await openSite();
  author = await server.join('王维');
  other = await server.join('裴迪');
  id = await server.write(author, { title: '山居秋暝' });
  await server.write(author, { title: '鸟鸣涧', slug: '鸟鸣涧' });
});
afterAll(() => server?.close());
afterEach(() => choose('id'));

const choose = (articleAddress: 'id' | 'slug') =>
  server.app.services.options.change({ articleAddress }, null);
const ask = async (path: string, init: RequestInit = {}) => {
  const { status, headers } = await server.send(path, init);
  return `${status} ${headers.get('location') ?? ''}`.trim();
};
const by = ({ token }: Person) => ({ headers: { cookie: `token=${token}` } });
const textOf = async (path: string) => (await server.send(path)).text;
const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
const edit = (article: string, fields: Fields, person = author) =>
  server.post(
    '/api/page/edit',
    { id: article, title: '山居', content: '空山新雨后', tags: ['诗'], ...fields },
    person.token,
  );

describe('the page /a/{slug}', () => {
  test('shows what /detail/{id} shows, with its one canonical link', async () => {
    const [byId, bySlug] = [await server.send(`/detail/${id}`), await server.send('/a/shan-ju-qiu-ming')];
    expect(bySlug.status).toBe(200);
    expect(bySlug.text).toBe(byId.text);
    expect(canonicalOf(bySlug.text)).toBe(`${ORIGIN}/detail/${id}`);
    await choose('slug');
    for (const path of [`/detail/${id}`, '/a/shan-ju-qiu-ming', '/a/shan-ju-qiu-ming?page=1'])
      expect(canonicalOf(await textOf(path))).toBe(`${ORIGIN}/a/shan-ju-qiu-ming`);
  });

  test.each([
    '/a/Shan-Ju-Qiu-Ming',
    '/a/shan-ju-qiu-ming/',
    '/a/%EF%BD%93%EF%BD%88%EF%BD%81%EF%BD%8E-ju-qiu-ming',
    '/a/%20shan-ju-qiu-ming%20',
  ])('redirects other spellings for good: %s', async (path) => {
    expect(await ask(path)).toBe('301 /a/shan-ju-qiu-ming');
    expect(await ask(`${path}?page=2`)).toBe('301 /a/shan-ju-qiu-ming?page=2');
  });

  test('of a slug in Chinese is found in either case of its escapes', async () => {
    expect(await ask('/a/%E9%B8%9F%E9%B8%A3%E6%B6%A7')).toBe('200');
    expect(await ask('/a/%e9%b8%9f%e9%b8%a3%e6%b6%a7')).toBe(`301 /a/${encodeURIComponent('鸟鸣涧')}`);
  });

  test.each([
    '/a/nothing',
    '/a/%F0%9F%8E%89',
    '/a/..%2f..',
    '/a/%252e%252e',
    '/a/a..b',
    `/a/${'a'.repeat(500)}`,
    '/a/x/y',
    '/a',
    '/a/',
  ])('is not found for an unknown slug: %s', async (path) => {
    expect(await ask(path)).toBe('302 /404');
  });

  test('of a secret article or draft is only for its author', async () => {
    await server.write(author, { title: '私密', secret: true, slug: 'only-mine' });
    await server.write(author, { title: '草稿', status: 'draft', slug: 'my-draft' });
    for (const path of ['/a/only-mine', '/a/my-draft']) {
      expect(await ask(path)).toBe('302 /404');
      expect(await ask(path, by(other))).toBe('302 /404');
      const { status, headers } = await server.send(path, by(author));
      expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    }
  });

  test('redirects from former slugs, and follows each change at once', async () => {
    const article = await server.write(author, { title: '改地址', slug: 'one' });
    expect(await ask('/a/one')).toBe('200');
    done(await edit(article, { slug: 'two' }));
    expect([await ask('/a/one'), await ask('/a/two')]).toEqual(['301 /a/two', '200']);
    done(await edit(article, { slug: 'one' }));
    expect([await ask('/a/one'), await ask('/a/two')]).toEqual(['200', '301 /a/one']);
    done(await server.post('/api/page/delete', { id: article }, author.token));
    expect([await ask('/a/one'), await ask('/a/two')]).toEqual(['302 /404', '302 /404']);
  });

  test('leaves former addresses of an imported site below /a/ alone', async () => {
    await server.app.db.write((trx) =>
      trx.insertInto('former_paths').values({ path: '/a/2019', article_id: id }).execute(),
    );
    expect(await ask('/a/2019')).toBe(`301 /detail/${id}`);
  });
});

describe('a slug', () => {
  test.each([
    ['is folded', 'ＭＹ－Slug', 'my-slug'],
    ['is trimmed', '  trimmed ', 'trimmed'],
  ])('%s as it is saved', async (_, typed, slug) => {
    const article = await server.write(author, { slug: typed });
    const stored = done(await server.post('/api/page/editdetail', { id: article }, author.token));
    expect(stored.slug).toBe(slug);
  });

  test.each(['🎉', '..', '../etc', 'a..b', '-a', 'a-', 'a b', 'a/b', '%2e', '\u200b', 'a\u202eb'])(
    'cannot be %s',
    async (slug) => {
      const { code, data } = await edit(id, { slug });
      expect([code, data]).toEqual(['ERROR', expect.stringMatching(/^地址/)]);
    },
  );

  test.each(['长'.repeat(101), 'a'.repeat(500), 'ﷺ'.repeat(50)])('cannot be too long', async (slug) => {
    expect((await edit(id, { slug })).data).toContain('地址不能超过 100 个字符');
  });

  test('of another article, present, former or deleted, is refused with the reason', async () => {
    const mine = await server.write(other, { title: '别人的', slug: 'taken-now' });
    const taken = await edit(id, { slug: 'Taken-NOW' });
    expect(taken.data).toBe('这个地址已经有别的文章用了，请换一个');
    expect(JSON.parse(taken.text)).toMatchObject({ error: 'SLUG_TAKEN', field: 'slug' });
    done(await edit(mine, { slug: 'taken-later' }, other));
    done(await server.post('/api/page/delete', { id: mine }, other.token));
    for (const slug of ['taken-now', 'taken-later'])
      expect(JSON.parse((await edit(id, { slug })).text).error).toBe('SLUG_TAKEN');
    done(await server.post('/api/page/purge', { id: mine }, other.token));
    done(await edit(id, { slug: 'taken-later' }));
    done(await edit(id, { slug: 'shan-ju-qiu-ming' }));
  });

  test('does not change by a save of a client that does not know it', async () => {
    const article = await server.write(author, { title: '旧客户端' });
    const { update_time } = done(await server.post('/api/page/editdetail', { id: article }, author.token));
    const saved = done(await edit(article, { title: '新题', update_time }));
    done(await edit(article, { title: '再改', slug: '', update_time: saved.update_time }));
    expect(await ask('/a/jiu-ke-hu-duan')).toBe('200');
  });
});

describe('the calls', () => {
  test('find an article by its present or a former slug', async () => {
    const answer = done(await server.get('/api/article/address?slug=SHAN-ju-qiu-ming'));
    expect(answer).toEqual({ id, slug: 'shan-ju-qiu-ming' });
    expect((await server.get('/api/article/address?slug=nothing')).code).toBe('ERROR');
  });

  test('suggest a free slug to signed-in users', async () => {
    const asked = new URLSearchParams({ title: '山居秋暝', slug: 'Shan-ju-qiu-ming' }).toString();
    expect(done(await server.get(`/api/article/slug?${asked}`, other.token))).toEqual({
      slug: 'shan-ju-qiu-ming-2',
      is_taken: true,
    });
    expect((await server.get(`/api/article/slug?${asked}`)).status).toBe(402);
  });
});

describe('the form that the operator chooses', () => {
  let newest: string;
  let before: string;
  beforeAll(async () => {
    before = await server.write(author, { title: '渭城曲' });
    newest = await server.write(author, { title: '长安秋望' });
  });

  const archive = `/archive/user/${encodeURIComponent('王维')}`;
  const lists = ['/home', archive, '/tag/list', '/tag/detail/%E8%AF%97', '/sitemap/articles-0.xml'];
  const feeds = ['/feed.xml', '/atom.xml', '/feed.json'];
  const profile = `/user/info/${encodeURIComponent('王维')}`;

  test('is in all lists, feeds, neighbours and search results at once, and back again', async () => {
    const places = [...lists, ...feeds, profile, `/detail/${before}`, '/home/%E9%95%BF%E5%AE%89'];
    // Fills the page cache.
    for (const path of places) await textOf(path);
    const linked = async () =>
      Promise.all(
        places.map(async (path) => {
          const text = await textOf(path);
          return [path, text.includes('/a/chang-an-qiu-wang"') || /\/a\/chang-an-qiu-wang[<"\\]/.test(text)];
        }),
      );
    expect(await linked()).toEqual(places.map((path) => [path, false]));
    await choose('slug');
    expect(await linked()).toEqual(places.map((path) => [path, true]));
    await choose('id');
    expect(await linked()).toEqual(places.map((path) => [path, false]));
  });

  test('does not change the ids of feed entries', async () => {
    const idsIn = async () => [
      /<guid[^>]*>([^<]*山?[^<]*)<\/guid>/.exec(await textOf('/feed.xml'))?.[1],
      /<entry>.*?<id>([^<]*)<\/id>/s.exec(await textOf('/atom.xml'))?.[1],
      JSON.parse(await textOf('/feed.json')).items[0].id,
    ];
    const before = await idsIn();
    expect(before[0]).toMatch(/\/detail\/[0-9a-f]{24}$/);
    await choose('slug');
    expect(await idsIn()).toEqual(before);
  });

  test('is the target of links to comments and of former addresses', async () => {
    await server.comment(other, newest);
    const comment = await server.comment(other, newest);
    await server.app.services.formerPaths.addAll([{ address: '/2020/old.html', articleId: newest }]);
    await choose('slug');
    expect(await ask(`/detail/${newest}/comment/${comment._id}`)).toBe(
      `302 /a/chang-an-qiu-wang#UI-comment-${comment._id}`,
    );
    expect(await ask('/2020/old.html')).toBe('301 /a/chang-an-qiu-wang');
    expect(await textOf('/a/chang-an-qiu-wang')).toContain('href="/a/chang-an-qiu-wang?sort=oldest');
  });

  test('is in the answers for other programs', async () => {
    await choose('slug');
    const item = done(await server.post('/api/page/detail', { id: newest }));
    expect(item.address).toBe('chang-an-qiu-wang');
    const { next } = done(await server.post('/api/page/ways', { id: before }));
    expect(next).toMatchObject({ _id: newest, address: 'chang-an-qiu-wang' });
    const { headers } = await server.send(`/detail/${newest}.md`);
    expect(headers.get('link')).toBe(`<${ORIGIN}/a/chang-an-qiu-wang>; rel="canonical"`);
    const { titles } = done(await server.post('/api/page/suggest', { q: '长安' }));
    expect(titles).toContainEqual(expect.objectContaining({ _id: newest, address: 'chang-an-qiu-wang' }));
  });
});

test('a read of /a/{slug} counts for the article', async () => {
  const article = await server.write(author, { title: '计数', slug: 'counted' });
  await server.send('/a/counted', {
    headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
  });
  await server.app.reads.flush();
  expect(await server.rows(`select read_num from articles where id = '${article}'`)).toEqual([
    { read_num: 1 },
  ]);
});
