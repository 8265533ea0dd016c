import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locationsIn, openSite, ORIGIN } from './discovery-stage.ts';
import { done, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let operator: Person;
let about: string;
let contact: string;

beforeAll(async () => {
  server = await openSite();
  operator = await server.join('王维');
  await server.app.services.roles.set('王维', 'operator', null);
  about = await publish('关于本站', '关于', { content: '# 缘起\n\n辋川\n\n# 后来\n\n归隐' });
  contact = await publish('联系', 'contact', { comments_closed: false });
  await call('/api/staff/pages/order', {
    pages: JSON.stringify([
      { id: about, parent: '' },
      { id: contact, parent: about },
    ]),
  });
});
afterAll(() => server?.close());

const call = async (path: string, fields: Fields) => done(await server.post(path, fields, operator.token));
async function publish(title: string, slug: string, more: Fields): Promise<string> {
  const { id } = await call('/api/staff/page/create', { title, slug });
  const fields = { title, content: '空山新雨', type: 'page', status: 'normal', comments_closed: true };
  await call('/api/page/edit', { ...fields, ...more, id });
  return id as string;
}
const open = async (path: string) => {
  const answer = await server.send(path);
  const to = answer.headers.get('location');
  return { text: answer.text, outcome: `${answer.status}${to === null ? '' : ` ${to}`}` };
};

describe('a page of the site', () => {
  test('has its text, the way to it and the pages below, and no author, neighbours and comments', async () => {
    const { text, outcome } = await open('/p/%E5%85%B3%E4%BA%8E');
    expect(outcome).toBe('200');
    expect(text).toContain('辋川');
    expect(text).toContain('<a href="/p/contact"');
    expect(text).toContain(`<link rel="canonical" href="${ORIGIN}/p/${encodeURIComponent('关于')}">`);
    expect(text).not.toMatch(/rel="author"|name="author"|发表评论|href="\/user\/info/);
    const below = await open('/p/contact');
    expect(below.text).toMatch(/aria-label="当前位置"[\s\S]*href="\/p\/%E5%85%B3%E4%BA%8E"/);
    expect(below.text).toContain('发表评论');
  });

  test.each([
    ['/p/Contact', '301 /p/contact'],
    ['/p/%EF%BD%83ontact', '301 /p/contact'],
    ['/p/Contact?page=2&x=1', '301 /p/contact?page=2'],
    ['/p/nothing', '302 /404'],
    ['/p/..%2f', '302 /p/~..~2F'],
    ['/p/~..~2F', '302 /404'],
    [`/p/${'x'.repeat(500)}`, '302 /404'],
    [`/p/${encodeURIComponent('🍵')}`, '302 /404'],
    ['/p/', '302 /404'],
  ])('has one address: %s', async (path, expected) => {
    expect((await open(path)).outcome).toBe(expected);
  });

  test('has the address of articles too, which redirects', async () => {
    expect((await open(`/detail/${contact}`)).outcome).toBe('301 /p/contact');
    expect((await open(`/detail/${contact}?page=2&sort=oldest`)).outcome).toBe(
      '301 /p/contact?sort=oldest&page=2',
    );
    expect((await open(`/detail/${contact}.md`)).outcome).toBe('200');
  });

  test('is in the sitemap and in no list', async () => {
    const { text } = await open('/sitemap/pages-0.xml');
    expect(locationsIn(text)).toEqual(
      expect.arrayContaining([`${ORIGIN}/p/${encodeURIComponent('关于')}`, `${ORIGIN}/p/contact`]),
    );
    for (const path of ['/home', '/archive', '/feed.xml', '/user/info/王维', '/llms.txt', '/sitemap.xml'])
      expect((await open(path)).text).not.toMatch(/关于本站|articles-0/);
  });

  test('shows changes at once: text, address, tree, deletion', async () => {
    const id = await publish('隐私', 'privacy', {});
    expect((await open('/p/privacy')).text).toContain('空山新雨');
    await call('/api/page/edit', {
      title: '隐私',
      content: '不收集资料',
      type: 'page',
      status: 'normal',
      id,
    });
    expect((await open('/p/privacy')).text).toContain('不收集资料');
    await call('/api/staff/page/change', { id, slug: 'policy' });
    expect((await open('/p/privacy')).outcome).toBe('301 /p/policy');
    expect((await open('/p/policy')).outcome).toBe('200');
    expect((await open('/p/contact')).text).not.toContain('/p/policy');
    const tree = [about, contact, id].map((each) => ({ id: each, parent: each === id ? contact : '' }));
    await call('/api/staff/pages/order', { pages: JSON.stringify(tree) });
    expect((await open('/p/contact')).text).toContain('/p/policy');
    await call('/api/page/delete', { id });
    expect((await open('/p/policy')).outcome).toBe('302 /404');
    expect((await open('/p/contact')).text).not.toContain('/p/policy');
    const back = [about, contact].map((each) => ({ id: each, parent: each === contact ? about : '' }));
    await call('/api/staff/pages/order', { pages: JSON.stringify(back) });
  });

  test('is found by search at once, without an author, also for clients and by its former address', async () => {
    const search = `/home/${encodeURIComponent('茱萸沜')}`;
    expect((await open(search)).text).not.toContain('href="/p/');
    const id = await publish('茱萸沜', 'zhu-yu', {});
    const { text } = await open(search);
    expect(text).toContain('href="/p/zhu-yu"');
    expect(text).not.toMatch(/<article[\s\S]*href="\/user\/info[\s\S]*<\/article>/);
    await call('/api/staff/page/change', { id, slug: 'pan', in_feeds: true });
    expect((await open(search)).text).toContain('href="/p/pan"');
    expect((await open('/feed.xml')).text).toContain(`<link>${ORIGIN}/p/pan</link>`);
    const found = done(await server.post('/api/page/searchpage', { keywords: '茱萸沜' }));
    expect(found).toMatchObject({ total: 1, result: [{ _id: id, is_page: true, page: 'pan' }] });
    await server.app.services.formerPaths.addAll([{ address: '/old/pan.html', articleId: id }]);
    expect((await open('/old/pan.html')).outcome).toBe('301 /p/pan');
    await call('/api/page/delete', { id });
    expect((await open(search)).text).not.toContain('href="/p/');
  });

  test('is listed for clients', async () => {
    expect(done(await server.post('/api/page/pages', {}))).toMatchObject({
      pages: [
        { _id: about, title: '关于本站', slug: '关于', parent: '', former_slugs: [] },
        { _id: contact, title: '联系', slug: 'contact', parent: about, former_slugs: [] },
      ],
    });
    expect(await call('/api/staff/pages', {})).toMatchObject({
      pages: [
        { state: 'published', create_user: '王维' },
        { state: 'published', in_feeds: false },
      ],
    });
  });
});
