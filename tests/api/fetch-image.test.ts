import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SVG } from '../unit/files/pictures.ts';
import { openOtherSite, type OtherSite } from './other-site.ts';
import { done, openServer, outcome, refused, type Person, type TestServer } from './server.ts';

let site: OtherSite;
let server: TestServer;
let author: Person;
let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  site = await openOtherSite(({ url }, response) => {
    if (url === '/page') return void response.setHeader('Content-Type', 'text/html').end('<p>');
    if (url === '/a.svg') return void response.setHeader('Content-Type', 'image/svg+xml').end(SVG);
    if (url === '/inside') return void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
    response.setHeader('Content-Type', 'image/png').end(png);
  });
  server = await openServer({}, site.outside);
  author = await server.join('王维');
});
afterAll(async () => {
  await server?.close();
  site?.close();
});

const fetchImage = (url: string, token = author.token) => server.post('/api/file/fetchImage', { url }, token);

test('an external picture is stored as an upload, requested with the page as referrer', async () => {
  const { url } = done(await fetchImage(site.urlOf('p3-juejin.byteimg.com', '/a.png')));
  expect(url).toMatch(/^\/api\/file\/[0-9a-f]{32}-40x30\.png$/);
  expect(site.asked.at(-1)?.headers.referer).toBe('https://juejin.cn/');
  const stored = Buffer.from(await (await fetch(server.url + url)).arrayBuffer());
  expect((await sharp(stored).metadata()).width).toBe(40);
  expect(await server.rows('select kind, bytes from files')).toEqual([
    { kind: 'image', bytes: stored.length },
  ]);
});

test.for([
  ['cdn.nlark.com', 'https://www.yuque.com/'],
  ['mmbiz.qpic.cn.test', undefined],
  ['raw.githubusercontent.com', 'https://github.com/'],
  ['example.com', undefined],
] as const)('%s gets the page %s as referrer', async ([host, referer]) => {
  done(await fetchImage(site.urlOf(host, '/a.png')));
  expect(site.asked.at(-1)?.headers.referer).toBe(referer);
});

test('anything but a public web picture is refused, and nothing is stored', async () => {
  const before = await server.rows('select name from files');
  const isRefused = async (url: string, text: string) =>
    expect(outcome(await fetchImage(url))).toEqual(refused(text));
  await isRefused('', '请填写图片地址');
  await isRefused('file:///etc/passwd', '只能从公开网站的 http 或 https 地址取图片');
  await isRefused(`${server.url}/api/statistics`, '只能从公开网站的 http 或 https 地址取图片');
  await isRefused(site.urlOf('other.test', '/inside'), '只能从公开网站的 http 或 https 地址取图片');
  await isRefused(site.urlOf('other.test', '/page'), '这个地址给出的不是图片');
  await isRefused(
    site.urlOf('other.test', '/a.svg'),
    '无法识别的图片，请使用 PNG、JPEG、WebP、GIF 或 AVIF 格式',
  );
  expect(await server.rows('select name from files')).toEqual(before);
});

test('needs an account, and counts towards its upload quota', async () => {
  const url = site.urlOf('other.test', '/a.png');
  expect((await fetchImage(url, 'undefined')).status).toBe(402);
  const bounded = await openServer({ RATE_LIMIT: 'on', QUOTA_UPLOADS: '1' }, site.outside);
  const { token } = await bounded.join('孟浩然');
  const fetchOne = () => bounded.post('/api/file/fetchImage', { url }, token);
  done(await fetchOne());
  const asked = site.asked.length;
  expect(outcome(await fetchOne())).toEqual(refused('今天上传的图片已达上限（1 张），请明天再试', 429));
  expect(site.asked).toHaveLength(asked);
  await bounded.close();
});
