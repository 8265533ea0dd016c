import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { BlobReader, TextWriter, Uint8ArrayWriter, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { twoColours } from '../unit/files/pictures.ts';
import { done, openServer, type Person, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

const begin = (person: Person, at = server) => at.post('/api/user/export', {}, person.token);
const linkOf = async (person: Person, at = server) =>
  at.url + (done(await begin(person, at)) as { url: string }).url;

/** Returns the files of a zip archive by path. */
async function unpack(response: Response): Promise<Map<string, FileEntry>> {
  const zip = new ZipReader(new BlobReader(await response.blob()));
  const entries = await zip.getEntries({ strictness: 'strict' });
  return new Map(entries.flatMap((entry) => (entry.directory ? [] : [[entry.filename, entry] as const])));
}
const textOf = (entry: FileEntry | undefined) => entry?.getData(new TextWriter()) ?? '';

/** Waits until no export is running. */
async function settled(person: Person, at = server): Promise<void> {
  for (;;) {
    const { error } = await begin(person, at);
    if (error === undefined) return;
    // Without a pause the rate limit would refuse the calls.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function stage(name: string, articles = 1): Promise<Person> {
  const author = await server.join(name);
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await twoColours(30, 30).png().toBuffer())]), 'a.png');
  const picture = (await server.raw('/api/file/uploadImage', form, { type: null, token: author.token }))
    .data as {
    url: string;
  };
  for (let number = 0; number < articles; number++)
    await server.write(author, {
      title: `文章 ${number}`,
      content: `![](${picture.url})\n\n${name.repeat(1_000)}`,
    });
  await server.write(author, { title: '只有我看得到', content: '草稿里的话', status: 'draft' });
  return author;
}

describe('an author’s download', () => {
  test('is a zip of all their content, through a single-use link', async () => {
    const author = await stage('司空曙', 3);
    const other = await server.join('韩翃');
    await server.write(other, { title: '别人的草稿', status: 'draft' });
    const link = await linkOf(author);
    const head = await fetch(link, { method: 'HEAD' });
    expect(head.status).toBe(200);
    const response = await fetch(link);
    expect(response.headers.get('Content-Type')).toBe('application/zip');
    expect(response.headers.get('Content-Disposition')).toContain(encodeURIComponent('司空曙.zip'));
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    const files = await unpack(response);
    const posts = [...files.keys()].filter((path) => path.startsWith('posts/'));
    expect(posts).toHaveLength(3);
    const post = await textOf(files.get(posts[0] ?? ''));
    const [link1 = ''] = /\.\.\/(pictures\/[\w.-]+)/.exec(post)?.slice(1) ?? [];
    const bytes = await files.get(link1)?.getData(new Uint8ArrayWriter());
    const shown = await fetch(`${server.url}/api/file/${link1.slice('pictures/'.length)}`);
    const sha = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    expect(sha(bytes ?? new Uint8Array())).toBe(sha(await shown.bytes()));
    expect([...files.keys()].some((path) => /^drafts\/.*只有我看得到\.md$/.test(path))).toBe(true);
    expect(await textOf(files.get('moye.json'))).toContain('"kind": "author"');
    for (const file of files.values()) expect(await textOf(file)).not.toContain('别人的草稿');

    const again = await fetch(link);
    expect(again.status).toBe(404);
    await again.body?.cancel();
    expect(readdirSync(server.app.config.dataDir).filter((name) => name.startsWith('export-'))).toEqual([]);
  });

  test('is refused to other accounts and for forged links', async () => {
    expect((await server.post('/api/user/export')).error).toBe('SIGNIN_REQUIRED');
    for (const made of ['x', '..%2f..', 'a'.repeat(43)]) {
      const response = await server.get(`/api/file/export/${made}`);
      expect([made, response.status, response.error]).toEqual([made, 404, 'FILE_NOT_FOUND']);
    }
    const author = await server.join('李端');
    const link = await linkOf(author);
    server.pass(121);
    expect((await fetch(link)).status).toBe(404);
  });

  test('is limited to one at a time, and can be cancelled', { tags: ['once'] }, async () => {
    const author = await stage('卢纶', 40);
    const [one, other] = [await linkOf(author), await linkOf(author)];
    const first = await fetch(one);
    const reader = first.body?.getReader();
    await reader?.read();
    const second = await fetch(other);
    expect([second.status, (await second.json()) as unknown]).toMatchObject([429, { code: 'ERROR' }]);
    await reader?.cancel();
    await settled(author);
    expect((await unpack(await fetch(await linkOf(author)))).has('moye.json')).toBe(true);
  });

  test('is complete while its author deletes articles', { tags: ['long'] }, async () => {
    const author = await stage('钱起', 40);
    const { result } = done(
      await server.post(
        '/api/page/limitpagelist',
        { type: 'create_user', content: '钱起', status: 'normal' },
        author.token,
      ),
    ) as { result: { _id: string }[] };
    const response = await fetch(await linkOf(author));
    for (const { _id } of result) done(await server.post('/api/page/delete', { id: _id }, author.token));
    const files = await unpack(response);
    expect([...files.keys()].filter((path) => /^(?:posts|trash)\//.test(path))).toHaveLength(40);
    const manifest = JSON.parse(await textOf(files.get('moye.json'))) as { counts: { articles: number } };
    expect(manifest.counts.articles).toBe(41);
  });
});

test('is limited to five an hour', { tags: ['long'] }, async () => {
  const limited = await openServer({ RATE_LIMIT: 'on' });
  try {
    const author = await limited.join('耿湋');
    for (let count = 0; count < 5; count++) {
      await (await fetch(await linkOf(author, limited))).bytes();
      if (count < 4) await settled(author, limited);
    }
    const next = async () => (await begin(author, limited)).text;
    await expect.poll(next, { interval: 100 }).toContain('导出太频繁了，请一小时后再试');
    limited.pass(3_601);
    expect((await begin(author, limited)).error).toBeUndefined();
  } finally {
    await limited.close();
  }
});
