import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { done, openServer, type Person, type TestServer } from './server.ts';

const SITE = {
  title: '纸上谈',
  description: '慢慢写',
  footer: '一九九九年至今',
  beian: '京ICP备00000001号',
  police_beian: '京公网安备 11010502030143号',
  licence: 'cc-by-sa-4.0',
  accent: '#7b2d8b',
  look: '简报',
  logo: 'logo.svg',
  nav: { '/home': '文章', '/lab/list': null },
  links: [{ text: '代码', href: 'https://git.example/纸' }],
};
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><path fill="#f00" d="M0 0h60v20H0z"/></svg>';

let server: TestServer;
let author: Person;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moye-site-'));
  await writeFile(join(folder, 'logo.svg'), LOGO);
  server = await openServer({ DATA_DIR: folder, SITE_JSON: JSON.stringify(SITE) });
  author = await server.join('王维');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const page = async (path: string) => (await server.send(path)).text;

test('the API returns the site’s settings', async () => {
  const facts = done(await server.send('/api/site'));
  expect(facts).toMatchObject({ title: '纸上谈', licence: 'cc-by-sa-4.0', nav: SITE.nav, links: SITE.links });
  expect(Object.keys(facts).sort()).toEqual([
    'accent',
    'beian',
    'description',
    'footer',
    'icons',
    'indexnow_key',
    'licence',
    'links',
    'logo',
    'look',
    'nav',
    'navigation',
    'police_beian',
    'providers',
    'seal',
    'sso_only',
    'style',
    'title',
    'verification',
  ]);
});

describe('a page', () => {
  test('shows the operator’s texts, numbers and links, and omits unset ones', async () => {
    const text = await page('/home');
    expect(text).toContain('<title>纸上谈</title>');
    for (const each of [SITE.footer, SITE.beian, SITE.police_beian, '慢慢写']) expect(text).toContain(each);
    expect(text).toContain('https://beian.mps.gov.cn/#/query/webSearch?code=11010502030143"');
    expect(text).toContain('href="https://git.example/纸"');
    expect(text).toMatch(/>\s*文章\s*<\/a>/);
    expect(text).not.toContain('实验室');
  });

  test('links to existing logo, icon, look and accent files, without loosening the policy', async () => {
    const { text, headers } = await server.send('/home');
    const addresses = [...text.matchAll(/(?:href|src)="(\/(?:site-logo|icon-192|look|accent)[^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    expect(new Set(addresses.map((address) => address.replace(/\?.*/, '')))).toEqual(
      new Set(['/accent.css', '/icon-192.png', '/look.css', '/site-logo.png']),
    );
    for (const address of addresses) {
      const file = await server.send(address);
      expect([address, file.status]).toEqual([address, 200]);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  test('of an article ends with the logo, and feeds have it too', async () => {
    const id = await server.write(author);
    const { logo, icons } = done(await server.send('/api/site')) as { logo: { src: string }; icons: string };
    const article = (await page(`/detail/${id}`)).split('</article>')[0] ?? '';
    expect(article).toContain(
      `<img src="${logo.src}" width="84" height="28" alt="" loading="lazy" class="seal-logo">`,
    );
    expect(article).not.toContain('墨');
    const [rss, atom, json] = await Promise.all(['/feed.xml', '/atom.xml', '/feed.json'].map(page));
    expect(rss).toMatch(
      /<image>\s*<url>[^<]*\/icon-192\.png\?v=[\w-]+<\/url>\s*<title>纸上谈<\/title>\s*<link>/,
    );
    expect(atom).toContain(`${logo.src}</logo>`);
    expect(atom).toContain(`/icon-192.png${icons}</icon>`);
    expect(JSON.parse(json ?? '')).toMatchObject({
      icon: expect.stringContaining(`/icon-512.png${icons}`),
      favicon: expect.stringContaining(`/icon-192.png${icons}`),
    });
  });

  test('of an article names the site’s licence, where its author has chosen none and it is no reprint', async () => {
    const [plain, own, reprint] = await Promise.all([
      server.write(author),
      server.write(author, { licence: 'cc0-1.0' }),
      server.write(author, { source: 'https://elsewhere.example/a' }),
    ]);
    const rights = async (id: string) => {
      const article = (await page(`/detail/${id}`)).split('</article>')[0] ?? '';
      return [article.includes('licenses/by-sa/4.0'), article.includes('publicdomain/zero')];
    };
    expect(await rights(plain)).toEqual([true, false]);
    expect(await rights(own)).toEqual([false, true]);
    expect(await rights(reprint)).toEqual([false, false]);
  });
});

test('each article of a list names its author and its date, also after one by the same author on the same day', async () => {
  const [one, other] = [await server.join('裴迪'), await server.join('孟浩然')];
  for (const by of [one, one, other, other]) await server.write(by);
  const cards = (await page('/home')).match(/<article[^]*?<\/article>/g)?.slice(0, 4) ?? [];
  const authorsOf = (card: string) =>
    /href="\/user\/info\/([^"]+)"[^>]*class="([^"]*)"/.exec(card)?.slice(1) ?? [];
  expect(cards.map((card) => decodeURIComponent(authorsOf(card)[0] ?? ''))).toEqual([
    '孟浩然',
    '孟浩然',
    '裴迪',
    '裴迪',
  ]);
  for (const card of cards) {
    expect(authorsOf(card)[1]).not.toContain('hidden');
    expect(card).toContain('note-figure');
  }
});

describe('files', () => {
  test.each([
    ['/favicon.ico', 'image/x-icon'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/icon-512.png', 'image/png'],
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/accent.css', 'text/css; charset=utf-8'],
    ['/look.css', 'text/css; charset=utf-8'],
  ])('%s comes with a strong ETag, and as 304 to who has it', async (path, type) => {
    const file = await server.send(path);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
    expect(file.headers.get('cache-control')).toBe('public, max-age=86400');
    const etag = file.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{10}"$/);
    const again = await server.send(path, { headers: { 'If-None-Match': `W/${etag}, "x"` } });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await server.send(path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('where nothing is set there are no logo and no style sheets, but icons', async () => {
    const plain = await openServer();
    const paths = [
      '/accent.css',
      '/look.css',
      '/style.css',
      '/site-logo.png',
      '/favicon.ico',
      '/icon-192.png',
    ];
    const answers = await Promise.all(paths.map((path) => plain.send(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 200, 200]);
    const { text } = await plain.send('/home');
    expect(text).toContain('/favicon.svg');
    expect(text).not.toMatch(/(?:accent|looks?|style)\b[^"]*\.css/);
    await plain.close();
  });
});

test('a site without a logo shows the icon of its seal, at another address after each change', async () => {
  const plain = await openServer({ SITE_JSON: '{"title":"纸上谈"}' });
  const operator = await plain.join('老王');
  await plain.app.services.roles.set('老王', 'operator', null);
  const linksOf = (text: string) =>
    Array.from(
      text.matchAll(/<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"/g),
      (found) => found[2] ?? '',
    );
  const before = linksOf((await plain.send('/home')).text);
  expect(before.map((link) => link.replace(/\?v=[\w-]{10}$/, ''))).toEqual([
    '/icon-192.png',
    '/apple-touch-icon.png',
    '/manifest.webmanifest',
  ]);
  const read = async (path: string) => Buffer.from(await (await fetch(plain.url + path)).arrayBuffer());
  const favicon = await read('/favicon.ico');
  done(await plain.post('/api/staff/site/change', { seal: '山' }, operator.token));
  const { text } = await plain.send('/home');
  const after = linksOf(text);
  expect(after).not.toEqual(before);
  for (const path of after) {
    const { status, headers } = await plain.send(path);
    expect([path, status, headers.get('cache-control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
  expect((await read('/favicon.ico')).equals(favicon)).toBe(false);
  expect(text).not.toContain('/favicon.svg');
  expect(text).toContain(`<img src="${after[0]}" width="28" height="28" alt=""`);
  const [rss, atom, json] = await Promise.all(
    ['/feed.xml', '/atom.xml', '/feed.json'].map(async (path) => (await plain.send(path)).text),
  );
  expect(rss).toContain(`${after[0]}</url>`);
  expect(atom).toContain(`${after[0]}</icon>`);
  expect(atom).not.toContain('<logo>');
  expect(JSON.parse(json ?? '')).toMatchObject({ favicon: expect.stringContaining(after[0] ?? '') });
  await plain.close();
});

test('a logo that is no picture stops the start with one line', async () => {
  await writeFile(join(folder, 'broken.svg'), 'no picture');
  const config = readConfig({ DATA_DIR: folder, SITE_JSON: '{"logo":"broken.svg"}' });
  await expect(createApp(config)).rejects.toThrow(/^site\.json: logo: broken\.svg must be an SVG picture/);
});
