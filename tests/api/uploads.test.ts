import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openS3Storage, type S3Storage } from '../engines/s3-storage.ts';
import { done, openServer, outcome, refused, type Person, type TestServer } from './server.ts';
import { temporaryFolder } from './spawn.ts';

let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
});

const upload = (server: TestServer, person: Person) => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(png)], 'a.png', { type: 'image/png' }));
  const headers = { Authorization: `Beare ${person.token}` };
  return server.send('/api/file/uploadImage', { method: 'POST', body: form, headers });
};
const uploadAvatar = (server: TestServer, person: Person) => {
  const imgData = `data:image/png;base64,${png.toString('base64')}`;
  return server.post('/api/file/uploadAvatar', { imgData }, person.token);
};

/** Opens two servers that share their upload storage. */
async function openPair(settings: Record<string, string>) {
  const servers = [await openServer(settings), await openServer(settings)] as const;
  return { servers, close: () => Promise.all(servers.map((server) => server.close())) };
}

function sharingSuite(
  openPlace: () => Promise<{ settings: Record<string, string>; close(): Promise<void> }>,
) {
  test('a picture uploaded through one server is served by both', async () => {
    const place = await openPlace();
    const { servers, close } = await openPair(place.settings);
    for (const through of servers) {
      const { url } = done(await upload(through, await through.join('王维')));
      const seen = await Promise.all(
        servers.map(async (server) => {
          const response = await fetch(server.url + url);
          expect(response.status).toBe(200);
          expect(response.headers.get('content-type')).toBe('image/png');
          const bytes = Buffer.from(await response.arrayBuffer());
          expect(response.headers.get('content-length')).toBe(String(bytes.length));
          return bytes;
        }),
      );
      expect(seen[0]).toEqual(seen[1]);
      expect((await sharp(seen[0]).metadata()).width).toBe(40);
    }
    await close();
    await place.close();
  });
}

describe('in a shared folder', () => {
  sharingSuite(async () => {
    const folder = await temporaryFolder();
    return { settings: { UPLOADS_DIR: folder.path }, close: async () => folder[Symbol.asyncDispose]() };
  });
});

describe('in S3', () => {
  sharingSuite(() => openS3Storage(''));

  let storage: S3Storage;
  let server: TestServer;
  let author: Person;
  beforeAll(async () => {
    storage = await openS3Storage();
    server = await openServer(storage.settings);
    author = await server.join('王维');
  });
  afterAll(async () => {
    await server?.close();
    await storage?.close();
  });

  test('HEAD for a picture does not fetch it', async () => {
    const { url } = done(await upload(server, author));
    const { headers } = await fetch(server.url + url);
    const before = storage.calls.length;
    const head = await fetch(server.url + url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, headers.get('content-length')]);
    const known = { 'If-None-Match': headers.get('etag') ?? '' };
    expect((await fetch(server.url + url, { headers: known })).status).toBe(304);
    expect(storage.calls.slice(before)).toEqual(['HEAD', 'HEAD']);
  });

  test('an unreachable picture is 503 with Retry-After, a missing one 404', { tags: ['long'] }, async () => {
    const { url } = done(await upload(server, author));
    done(await uploadAvatar(server, author));
    const before = done(await server.post('/api/user/detail', { username: '王维' }));
    const keys = storage.keys();
    storage.be('failing');
    const answers = [
      [await upload(server, author), '图片暂时无法保存，请稍后再试'],
      [await uploadAvatar(server, author), '图片暂时无法保存，请稍后再试'],
      [await server.get(url), '图片暂时无法读取，请稍后再试'],
      [await server.get('/api/file/avatar/user?username=王维&optional=1'), '图片暂时无法读取，请稍后再试'],
    ] as const;
    for (const [answer, sentence] of answers) {
      expect(outcome(answer)).toEqual(refused(sentence, 503));
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    storage.be('well');
    expect(storage.keys()).toEqual(keys);
    expect(done(await server.post('/api/user/detail', { username: '王维' }))).toEqual(before);
    expect((await server.get(url)).status).toBe(200);
    expect((await server.get(`/api/file/${'0'.repeat(32)}.png`)).status).toBe(404);
  });

  test('an incomplete picture is not mistaken for a complete one', async () => {
    const { url } = done(await upload(server, author));
    storage.be('broken');
    await expect(fetch(server.url + url).then((response) => response.arrayBuffer())).rejects.toThrow(
      'terminated',
    );
    storage.be('well');
    expect((await fetch(server.url + url)).status).toBe(200);
  });
});
