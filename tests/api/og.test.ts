import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, type Person, type TestServer } from './server.ts';

/** Open Graph images, drawn in the serving thread. */
let server: TestServer;
let author: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
});
afterAll(() => server.close());

const status = async (id: string) => (await server.send(`/og/${id}.png`)).status;
const edit = async (id: string, fields: Record<string, string | string[]>) => {
  const article = {
    id,
    title: '山居',
    content: '空山新雨后',
    tags: ['诗'],
    status: 'normal',
    secret: 'false',
  };
  return done(await server.post('/api/page/edit', { ...article, ...fields }, author.token));
};

test('a public article has a PNG, with an ETag that changes with its title', async () => {
  const id = await server.write(author, { title: '空山新雨后，天气晚来秋' });
  const response = await fetch(`${server.url}/og/${id}.png`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(response.headers.get('cache-control')).toBe('public, max-age=600');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const { width, height } = await sharp(await response.arrayBuffer()).metadata();
  expect([width, height]).toEqual([1200, 630]);
  const etag = response.headers.get('etag') ?? '';
  const again = await server.send(`/og/${id}.png`, { headers: { 'If-None-Match': etag } });
  expect([again.status, again.text]).toEqual([304, '']);
  await edit(id, { title: '明月松间照' });
  const renamed = await server.send(`/og/${id}.png`, { headers: { 'If-None-Match': etag } });
  expect([renamed.status, renamed.headers.get('etag') === etag]).toEqual([200, false]);
});

test('the site has its own image', async () => {
  const response = await fetch(`${server.url}/og/site.png`);
  expect((await sharp(await response.arrayBuffer()).metadata()).format).toBe('png');
});

describe('there is no image, not even for the author, of an article that is', () => {
  test.each([
    ['a draft', { status: 'draft' }],
    ['secret', { secret: 'true' }],
  ])('%s', async (_name, fields) => {
    const id = await server.write(author, fields);
    expect(await status(id)).toBe(404);
    expect((await server.get(`/og/${id}.png`, author.token)).status).toBe(404);
  });

  test.each([
    ['withdrawn', (id: string) => edit(id, { status: 'draft' })],
    ['made secret', (id: string) => edit(id, { secret: 'true' })],
    ['deleted', async (id: string) => done(await server.post('/api/page/delete', { id }, author.token))],
  ])('%s: at once, though it was drawn before', async (_name, hide) => {
    const id = await server.write(author);
    expect(await status(id)).toBe(200);
    await hide(id);
    expect(await status(id)).toBe(404);
  });
});

test.each(['/og/000000000000000000000000.png', '/og/x.png', '/og/site.jpg', '/og/%2e%2e%2fsite.png'])(
  '%s is nothing',
  async (path) => {
    expect((await server.send(path)).status).toBe(404);
  },
);
