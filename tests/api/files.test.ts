import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GIF, hugePng, movingGif, SVG } from '../unit/files/pictures.ts';
import { done, openServer, outcome, PASSWORD, refused, type Person, type TestServer } from './server.ts';
import { MIB } from '../../src/lib/contract/rules/units.ts';

const MISSING = refused('文件不存在', 404);
const UNREADABLE = refused('无法识别的图片，请使用 PNG、JPEG 或 WebP 格式');
const UNREADABLE_IMAGE = refused('无法识别的图片，请使用 PNG、JPEG、WebP、GIF 或 AVIF 格式');

let server: TestServer;
let author: Person;
let png: Buffer;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
});
afterAll(() => server?.close());

const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const uploadAvatar = (imgData: string) => server.post('/api/file/uploadAvatar', { imgData }, author.token);
const uploadImage = (
  bytes: Buffer,
  { field = 'file', name = 'a.png', type = 'image/png', token = author.token } = {},
) => {
  const form = new FormData();
  form.set(field, new File([new Uint8Array(bytes)], name, { type }));
  return server.send('/api/file/uploadImage', {
    method: 'POST',
    body: form,
    headers: { Authorization: `Beare ${token}` },
  });
};
const fetchFile = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers });
const avatarPath = (name: string) => `/api/file/avatar/user?username=${encodeURIComponent(name)}`;

describe('an avatar', () => {
  test('is uploaded as a data URL and then served by name, with and without the slash', async () => {
    const name = done(await uploadAvatar(dataUrl(png)));
    expect(name).toMatch(/^[0-9a-f]{32}\.webp$/);
    expect(done(await server.post('/api/user/detail', { username: '王维' })).avatar).toBe(name);
    for (const path of [
      avatarPath('王维'),
      avatarPath('王维').replace('user?', 'user/?'),
      `/api/file/${name}`,
    ]) {
      const response = await fetchFile(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([width, height, format]).toEqual([256, 256, 'webp']);
    }
  });

  test('of an unknown user, or of one without an avatar, is 404 in the envelope', async () => {
    await server.join('无像');
    for (const path of [
      avatarPath('无像'),
      avatarPath('无此人'),
      '/api/file/avatar/user',
      '/api/file/avatar/user/?username=%FF',
    ]) {
      expect(outcome(await server.get(path))).toEqual(MISSING);
    }
  });

  test('that is missing is an empty response for pages that ask optionally', async () => {
    for (const name of ['无像', '无此人']) {
      const response = await fetchFile(`${avatarPath(name)}&optional=1`);
      expect([response.status, await response.text()]).toEqual([204, '']);
    }
  });

  test('is sent again only when it has changed', async () => {
    done(await uploadAvatar(dataUrl(png)));
    const etag = (await fetchFile(avatarPath('王维'))).headers.get('etag') ?? '';
    expect((await fetchFile(avatarPath('王维'), { 'If-None-Match': etag })).status).toBe(304);
    done(await uploadAvatar(dataUrl(png)));
    expect((await fetchFile(avatarPath('王维'), { 'If-None-Match': etag })).status).toBe(200);
  });

  test('is set for the token’s user', async () => {
    const other = await server.join('别人');
    done(
      await server.post('/api/file/uploadAvatar', { imgData: dataUrl(png), username: '王维' }, other.token),
    );
    expect(done(await server.post('/api/user/detail', { username: '别人' })).avatar).toMatch(/\.webp$/);
  });

  test.each<[string, () => string, string, number]>([
    ['nothing', () => '', '请选择要上传的图片', 200],
    ['no data URL', () => 'https://example.com/a.png', UNREADABLE.data, 200],
    ['an SVG', () => dataUrl(SVG, 'image/svg+xml'), UNREADABLE.data, 200],
    ['an SVG that says it is a PNG', () => dataUrl(SVG), UNREADABLE.data, 200],
    ['half a PNG', () => dataUrl(png.subarray(0, 60)), UNREADABLE.data, 200],
    ['50,000 × 50,000 pixels', () => dataUrl(hugePng(50_000, 50_000)), '图片的像素过多，请缩小后再上传', 200],
    ['a GIF', () => dataUrl(GIF, 'image/gif'), UNREADABLE.data, 200],
    ['a GIF that says it is a PNG', () => dataUrl(GIF), UNREADABLE.data, 200],
    ['more than 16 MiB', () => dataUrl(Buffer.alloc(16 * MIB + 1)), '图片不能超过 16 MB', 413],
  ])('refuses %s and stays as it is', async (_, imgData, sentence, status) => {
    const before = done(await server.post('/api/user/detail', { username: '王维' }));
    expect(outcome(await uploadAvatar(imgData()))).toEqual(refused(sentence, status));
    expect(done(await server.post('/api/user/detail', { username: '王维' }))).toEqual(before);
  });

  test('of exactly 16 MiB is not too large, whatever its bytes, and stored small', async () => {
    const padded = Buffer.concat([png, randomBytes(16 * MIB - png.length)]);
    const answers = [
      await uploadAvatar(dataUrl(padded)),
      await server.json('/api/file/uploadAvatar', { imgData: dataUrl(padded) }, author.token),
    ];
    for (const answer of answers) {
      const response = await fetchFile(`/api/file/${done(answer)}`);
      expect(Number(response.headers.get('content-length'))).toBeLessThan(MIB);
    }
  });

  test('of 12 million pixels is taken as clients cut it, uncompressed', async () => {
    const photo = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#345' } });
    const bytes = await photo.png({ compressionLevel: 0, palette: true }).toBuffer();
    expect(bytes.length).toBeGreaterThan(10 * MIB);
    expect(done(await uploadAvatar(dataUrl(bytes)))).toMatch(/\.webp$/);
  });
});

describe('an article’s image', () => {
  test('is uploaded as a multipart file and served for ever', async () => {
    const { url, ...rest } = done(await uploadImage(png));
    expect(rest).toEqual({});
    expect(url).toMatch(/^\/api\/file\/[0-9a-f]{32}-\d+x\d+\.png$/);
    const response = await fetchFile(url);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toMatch(/max-age=31536000.*immutable/);
    expect((await fetch(server.url + url, { method: 'HEAD' })).status).toBe(200);
  });

  test('may be 16 MiB, a GIF or an AVIF; animations are preserved', async () => {
    const [gif, avif] = [await movingGif(3), await sharp(png).avif({ effort: 0 }).toBuffer()];
    const large = Buffer.concat([png, Buffer.alloc(16 * MIB - png.length)]);
    const read = async (bytes: Buffer) => {
      const response = await fetchFile(done(await uploadImage(bytes)).url);
      return sharp(Buffer.from(await response.arrayBuffer()), { animated: true }).metadata();
    };
    expect(await read(gif)).toMatchObject({ format: 'webp', pages: 3, width: 40, pageHeight: 30 });
    expect(await read(avif)).toMatchObject({ format: 'webp', width: 40, height: 30 });
    expect(await read(large)).toMatchObject({ format: 'png', width: 40, height: 30 });
  });

  test('may be embedded by other origins', async () => {
    const { url } = done(await uploadImage(png));
    expect((await fetchFile(url)).headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    done(await uploadAvatar(dataUrl(png)));
    expect((await fetchFile(avatarPath('王维'))).headers.get('cross-origin-resource-policy')).toBe(
      'cross-origin',
    );
  });

  test('is named by the server, whatever the uploaded file’s name', async () => {
    for (const name of ['../../x.png', 'x.svg', '.png', '图.html', 'a\u0000b.png']) {
      expect(done(await uploadImage(png, { name, type: 'text/html' })).url).toMatch(
        /^\/api\/file\/[0-9a-f]{32}-\d+x\d+\.png$/,
      );
    }
  });

  test('refuses files that are not images', async () => {
    const svg = await uploadImage(SVG, { name: 'x.svg', type: 'image/svg+xml' });
    expect(outcome(svg)).toEqual(UNREADABLE_IMAGE);
    const script = await uploadImage(Buffer.from('<script>'), { name: 'x.png' });
    expect(outcome(script)).toEqual(UNREADABLE_IMAGE);
    expect(outcome(await uploadImage(Buffer.alloc(0)))).toEqual(refused('请选择要上传的图片'));
    expect(outcome(await uploadImage(png, { field: 'image' }))).toEqual(refused('请选择要上传的图片'));
    const large = await uploadImage(Buffer.alloc(16 * MIB + 1));
    expect(outcome(large)).toEqual(refused('图片不能超过 16 MB', 413));
    expect(outcome(await uploadImage(png, { token: 'undefined' }))).toEqual(refused('请重新登录', 402));
  });

  test.each([
    ['JSON', 'application/json', '{"file":"abc"}'],
    ['no type', null, 'abc'],
    ['multipart without a boundary', 'multipart/form-data', 'abc'],
    [
      'broken multipart',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"',
    ],
    ['an empty multipart', 'multipart/form-data; boundary=x', ''],
    [
      'a multipart that breaks off in its file',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG',
    ],
  ])('refuses %s', async (_, type, body) => {
    const answer = await server.raw('/api/file/uploadImage', body, { type, token: author.token });
    expect(outcome(answer)).toEqual(refused('请以 multipart 表单上传图片'));
  });

  test('refuses a file field that is text', async () => {
    const plain = await server.post('/api/file/uploadImage', { file: 'abc' }, author.token);
    expect(outcome(plain)).toEqual(refused('请选择要上传的图片'));
    const form = new FormData();
    form.set('file', 'abc');
    const headers = { Authorization: `Beare ${author.token}` };
    const answer = await server.send('/api/file/uploadImage', { method: 'POST', body: form, headers });
    expect(outcome(answer)).toEqual(refused('请选择要上传的图片'));
  });
});

test.each([
  'x.png',
  `${'0'.repeat(32)}.png`,
  '..%2f..%2fmoye.sqlite',
  '%2e%2e/moye.sqlite',
  '....//token-secret',
  'token-secret',
  'uploads',
  '%00.png',
  '%FF',
  '%',
  'avatar',
])('no file is called %s', async (name) => {
  expect(outcome(await server.get(`/api/file/${name}`))).toMatchObject({ status: 404, code: 'ERROR' });
});

test('a program with an access token gets the absolute address of its picture, also for a cover', async () => {
  const origin = 'https://blog.example';
  const own = await openServer({ SITE_URL: origin });
  try {
    const person = await own.join('孟浩然');
    const scopes = ['pictures:write', 'articles:read', 'articles:write'];
    const fields = { name: 'PicGo', scopes, days: 30, password: PASSWORD };
    const { token } = done(await own.post('/api/user/tokens/create', fields, person.token));
    const upload = async (authorization: string): Promise<string> => {
      const form = new FormData();
      form.set('file', new File([new Uint8Array(png)], 'a.png', { type: 'image/png' }));
      const headers = { Authorization: authorization };
      return done(await own.send('/api/file/uploadImage', { method: 'POST', body: form, headers })).url;
    };
    const url = await upload(`Bearer ${token}`);
    const path = url.slice(origin.length);
    expect(url).toMatch(/^https:\/\/blog\.example\/api\/file\/[0-9a-f]{32}-40x30\.png$/);
    expect(await upload(`Beare ${person.token}`)).toMatch(/^\/api\/file\/[0-9a-f]{32}-40x30\.png$/);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({
      title: '有封面',
      content: '正文',
      tags: [],
      status: 'draft',
      secret: false,
      cover: url,
    });
    const { id } = done(await own.send('/api/page/new', { method: 'POST', headers, body }));
    expect(done(await own.post('/api/page/editdetail', { id }, person.token)).cover).toBe(path);
  } finally {
    await own.close();
  }
});
