import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, type Person, type TestServer } from './server.ts';
import { sendExactly } from './wire.ts';

let server: TestServer;
let author: Person;
let id: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  id = await server.write(author, { title: '山居秋暝' });
  await add(id, '/2020/01/02/山居/', '/?p=12', '/a b');
});
afterAll(() => server?.close());

const add = (articleId: string, ...addresses: string[]) =>
  server.app.services.formerPaths.addAll(addresses.map((address) => ({ address, articleId })));
const ask = async (path: string, init: RequestInit = {}) => {
  const { status, headers } = await server.send(path, init);
  return `${status} ${headers.get('location') ?? ''}`.trim();
};

describe('a former address', () => {
  test.each([
    ['/2020/01/02/%E5%B1%B1%E5%B1%85/'],
    ['/2020/01/02/%E5%B1%B1%E5%B1%85'],
    ['/2020/01/02/%E5%B1%B1%E5%B1%85.html?utm_source=feed'],
    ['/2020/01/02/%E5%B1%B1%E5%B1%85/index.html'],
    ['/?p=12'],
    ['/?utm_source=x&p=12'],
    ['/?page_id=12'],
    ['/a%20b/'],
  ])('leads to the article for good: %s', async (path) => {
    expect(await ask(path)).toBe(`301 /detail/${id}`);
    expect(await ask(path, { method: 'HEAD' })).toBe(`301 /detail/${id}`);
    // Signed-in readers are redirected too.
    expect(await ask(path, { headers: { Cookie: `token=${author.token}` } })).toBe(`301 /detail/${id}`);
    expect(done(await server.post('/api/page/former', { address: path }))).toEqual({ id });
  });

  test('is revalidated by clients each time, without internal headers', async () => {
    const { headers } = await server.send('/?p=12');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('cache-tag')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['/nothing', '302 /404'],
    ['/2020/01/02', '302 /404'],
    ['/2020/01/02/%25E5%25B1%25B1', '302 /404'],
    ['/?p=13', '302 /home'],
    ['/?p=12x', '302 /home'],
    ['/?feed=comments-rss2', '302 /home'],
    ['/comments/feed/', '302 /404'],
    ['/feed/constructor', '302 /404'],
    ['/', '302 /home'],
    ['/%', '400'],
  ])('is not found when unknown: %s', async (path, expected) => {
    expect(await ask(path)).toBe(expected);
  });

  test.each([
    ['/feed', '/feed.xml'],
    ['/feed/', '/feed.xml'],
    ['/feed/?utm_source=x', '/feed.xml'],
    ['/rss.xml', '/feed.xml'],
    ['/index.xml', '/feed.xml'],
    ['/rss2.xml', '/feed.xml'],
    ['/feed/atom/', '/atom.xml'],
    ['/?feed=rss2', '/feed.xml'],
    ['/?utm_source=x&feed=atom', '/atom.xml'],
    ['/index.php/feed/', '/feed.xml'],
    ['/index.php?feed=rss2', '/feed.xml'],
  ])('of a feed leads to the feed for good: %s', async (path, feed) => {
    expect(await ask(path)).toBe(`301 ${feed}`);
    expect(await ask(path, { method: 'HEAD' })).toBe(`301 ${feed}`);
    expect(await ask(path, { headers: { Cookie: `token=${author.token}` } })).toBe(`301 ${feed}`);
    expect((await server.send(feed)).status).toBe(200);
  });

  test('the feed of the site itself is served', async () => {
    for (const path of ['/feed.xml', '/atom.xml', '/feed.json']) expect(await ask(path)).toBe('200');
  });

  test('an article goes before a feed', async () => {
    await add(id, '/rss');
    expect(await ask('/rss/')).toBe(`301 /detail/${id}`);
    expect(await ask('/?feed=rss2&p=12')).toBe(`301 /detail/${id}`);
  });

  test('redirects only while the article is public', async () => {
    const change = (fields: Record<string, string>) =>
      server.post(
        '/api/page/edit',
        { id: secret, title: '密', content: '密', tags: ['诗'], status: 'normal', ...fields },
        author.token,
      );
    const secret = await server.write(author, { title: '密', secret: 'true' });
    const draft = await server.write(author, { title: '稿', status: 'draft' });
    await add(secret, '/secret');
    await add(draft, '/draft');
    const nothing = await server.post('/api/page/former', { address: '/nothing' });
    for (const path of ['/secret', '/draft']) {
      expect(await ask(path)).toBe('302 /404');
      // The author is not redirected either: the result does not depend on the viewer.
      expect(await ask(path, { headers: { Cookie: `token=${author.token}` } })).toBe('302 /404');
      expect((await server.post('/api/page/former', { address: path }, author.token)).text).toBe(
        nothing.text,
      );
    }
    done(await change({ secret: 'false' }));
    expect(await ask('/secret')).toBe(`301 /detail/${secret}`);
    done(await change({ secret: 'true' }));
    expect(await ask('/secret')).toBe('302 /404');
    done(await change({ status: 'cancel' }));
    expect(await ask('/secret')).toBe('302 /404');
  });

  test('never redirects to another site, and is not echoed in the response', async () => {
    await add(id, '//evil.example/x', 'https://evil.example/y');
    const targets = [
      '//evil.example/x',
      '/%2F%2Fevil.example/x',
      '/x%0d%0aSet-Cookie:%20a=b',
      '/y?a=%0d%0aLocation:%20https://evil.example',
      '/\\evil.example/y',
      'http://evil.example/y',
    ];
    for (const target of targets) {
      const { head } = await sendExactly(
        server.url,
        `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      );
      expect(head).not.toMatch(/set-cookie/i);
      const location = /^location: (.*)$/im.exec(head)?.[1]?.trim();
      expect(['/404', `/detail/${id}`, undefined]).toContain(location);
    }
  });
});
