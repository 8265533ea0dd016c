import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openServer, type TestServer } from './server.ts';

/** The page that readers get when rendering fails, and the scripts that it may run. */
let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

test.each([
  ['a visitor', '/tag/list', null],
  ['a signed-in reader', '/user/list', '王维'],
])('a page that fails while rendering is the error page for %s', async (_, path, reader) => {
  const headers = reader === null ? {} : { cookie: `token=${(await server.join(reader)).token}` };
  // Only the footer reads this setting, and Astro has started to send the page by then.
  const { backend } = server.app;
  const facts = Object.defineProperty({ ...backend.site }, 'beian', {
    get() {
      throw new Error('no filing number');
    },
  });
  const asked = vi.spyOn(backend, 'siteNow').mockResolvedValue(facts);
  const page = await server.send(path, { headers });
  asked.mockRestore();
  expect(page.status).toBe(500);
  expect(page.text.match(/<!doctype html>/gi)).toHaveLength(1);
  expect(page.text).toContain('服务器没能写完这一页');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self' 'sha256-");
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await server.send(path, { headers })).toMatchObject({ status: 200 });
});

test('the error page has no public URL', async () => {
  const page = await server.send('/500');
  expect([page.status, page.headers.get('location')]).toEqual([302, '/404']);
});

test.each(['/home', '/signin', '/404'])(
  'the policy allows each inline script of %s by hash',
  async (path) => {
    const { headers, text } = await server.send(path);
    const inline = /<script(?![^>]*(?: src=|ld\+json))[^>]*>([^]*?)<\/script>/g;
    const scripts = [...text.matchAll(inline)].map((match) => match[1] ?? '');
    expect(headers.get('speculation-rules')).toBe('"/speculation-rules.json"');
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      const hash = createHash('sha256').update(script).digest('base64');
      expect(headers.get('content-security-policy')).toContain(` 'sha256-${hash}'`);
    }
  },
);
