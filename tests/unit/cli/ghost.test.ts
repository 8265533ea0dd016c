import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGhost } from '../../../src/lib/importers/ghost/ghost-site.ts';
import { all, filesOf } from './foreign-golden.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/import/ghost');
const NAME = 'old.ghost.2022-05-01.json';
const WHOLE = readFileSync(join(FIXTURE, NAME));
const PICTURE = readFileSync(join(FIXTURE, 'content/images/2022/03/hua.png'));
const OPTIONS = { pages: false, uploads: undefined, origins: [] };
const open = (options = {}) => openGhost(join(FIXTURE, NAME), { ...OPTIONS, ...options });

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'moye-ghost-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

async function zip(name: string, files: Record<string, string | Uint8Array>): Promise<string> {
  const path = join(place, name);
  const writer = new ZipWriter(Writable.toWeb(createWriteStream(path)), { useWebWorkers: false });
  for (const [file, content] of Object.entries(files))
    await writer.add(
      file,
      typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(content),
    );
  await writer.close();
  return path;
}

/** A single post in an otherwise empty export. */
async function one(post: Record<string, unknown>, options = {}) {
  const path = join(place, 'one.json');
  const posts = [{ id: 'p', title: '题', slug: 's', status: 'published', visibility: 'public', ...post }];
  writeFileSync(path, JSON.stringify({ db: [{ data: { posts, users: [{ id: 'u', name: '甲乙' }] } }] }));
  const [article] = await all((await openGhost(path, { ...OPTIONS, ...options })).articles());
  return article;
}

const lexical = (...children: unknown[]) => JSON.stringify({ root: { children, type: 'root' } });

describe('a Ghost export', () => {
  test('yields the articles, authors and tags of the golden files', async () => {
    for (const [name, text] of await filesOf(await open()))
      await expect(text).toMatchFileSnapshot(join(FIXTURE, 'expected', name));
  });

  test('yields pages on request', async () => {
    const site = await open({ pages: true });
    const about = (await all(site.articles())).find(({ title }) => title === '关于');
    expect(about).toMatchObject({ isSecret: false, page: {}, formerPaths: ['/about/'] });
  });

  test('is the same from single-line JSON, and from an old version', async () => {
    const path = join(place, 'old.json');
    const { db } = JSON.parse(WHOLE.toString()) as { db: unknown[] };
    writeFileSync(path, JSON.stringify(db[0]));
    const site = await openGhost(path, OPTIONS);
    expect(await all(site.articles())).toEqual(await all((await open()).articles()));
  });

  test('keeps media URLs when the site’s URL is known', async () => {
    const video = lexical({ type: 'video', src: '__GHOST_URL__/content/media/a.mp4' });
    expect((await one({ lexical: video }))?.content).toBe('');
    const origins = ['https://old.example'];
    expect((await one({ lexical: video }, { origins }))?.content).toBe(
      '<video src="https://old.example/content/media/a.mp4"></video>',
    );
  });

  test('with the same footnote names in several markdown cards keeps all', async () => {
    const card = (note: string) => ({ type: 'markdown', markdown: `字[^1] [^a-z]\n\n[^1]: ${note}` });
    expect((await one({ lexical: lexical(card('甲'), card('乙')) }))?.content).toBe(
      '字[^1] [^a-z]\n\n[^1]: 甲\n\n字[^2-1] [^a-z]\n\n[^2-1]: 乙',
    );
  });

  test('with null in place of text yields an empty article', async () => {
    expect((await one({ lexical: null, html: null }))?.content).toBe('');
  });
});

describe('pictures', () => {
  test('come from the zip, thumbnails as the full picture', async () => {
    const path = await zip('site.zip', { [NAME]: WHOLE, 'content/images/2022/03/hua.png': PICTURE });
    const site = await openGhost(path, { ...OPTIONS, origins: ['https://old.example'] });
    const own = '/content/images/2022/03/hua.png';
    const smaller = '/content/images/size/w600/format/webp/2022/03/hua.png';
    for (const address of [own, smaller, `https://old.example${own}`, `__GHOST_URL__${own}`])
      expect(Buffer.from((await site.picture(address)) ?? [])).toEqual(PICTURE);
    for (const address of [`https://other.example${own}`, '/content/images/none.png', '/other.png'])
      expect(await site.picture(address)).toBeNull();
    expect(await all(site.articles())).toHaveLength(7);
    await site.close();
  });

  test('come from a folder next to the JSON, never from above it', async () => {
    for (const uploads of [FIXTURE, join(FIXTURE, 'content/images')]) {
      const site = await open({ uploads });
      expect(Buffer.from((await site.picture('/content/images/2022/03/hua.png')) ?? [])).toEqual(PICTURE);
      expect(await site.picture('/content/images/..%2f..%2f..%2f..%2f..%2fpackage.json')).toBeNull();
    }
  });
});

describe('an invalid export is refused in one line', () => {
  const refused = async (path: string): Promise<string> =>
    openGhost(path, OPTIONS).then(
      () => '',
      (error: Error) => `${error.name}：${error.message}`,
    );
  const file = (content: string | Uint8Array): string => {
    const path = join(place, 'bad.json');
    writeFileSync(path, content);
    return path;
  };

  test('JSON truncated anywhere', async () => {
    for (const share of [0.0001, 0.01, 0.3, 0.7, 0.9999])
      expect(await refused(file(WHOLE.subarray(0, Math.floor(WHOLE.length * share))))).toMatch(
        /^Problem：导出文件不完整，可能没有下载完$/,
      );
  });

  test('other JSON', async () => {
    const foreign = 'Problem：不是 Ghost 导出的 JSON：里面没有 data';
    expect(await refused(file(''))).toBe(foreign);
    expect(await refused(file('[1, 2]'))).toBe(foreign);
    expect(await refused(file('{"data": 1}'))).toBe(foreign);
    expect(await refused(file('{"data": {"posts": [{"a": x}]}}'))).toBe('Problem：导出文件不是完整的 JSON');
    expect(await refused(file('{"data": {"posts": [{]}]}}'))).toBe('Problem：导出文件不是完整的 JSON');
  });

  test('zips that are truncated, damaged, or without an export', async () => {
    const sound = readFileSync(await zip('sound.zip', { [NAME]: WHOLE }));
    expect(await refused(file(sound.subarray(0, sound.length - 40)))).toBe('Problem：压缩包不完整或已损坏');
    const damaged = Buffer.from(sound);
    damaged.fill(0xff, 200, 260);
    expect(await refused(file(damaged))).toBe('Problem：压缩包不完整或已损坏');
    expect(await refused(await zip('none.zip', { 'a.txt': 'x' }))).toBe(
      'Problem：压缩包里没有 Ghost 导出的 JSON',
    );
  });

  test('zips with paths outside their folder', async () => {
    const safe = readFileSync(await zip('slip.zip', { [NAME]: WHOLE, 'AA/AA/evil.png': PICTURE }));
    const slip = Buffer.from(
      safe.toString('latin1').replaceAll('AA/AA/evil.png', '../../evil.png'),
      'latin1',
    );
    expect(await refused(file(slip))).toBe('Problem：压缩包里有指向文件夹之外的路径："../../evil.png"');
  });

  test('bombs', async () => {
    const bomb = `{"db":[{"data":{"posts":[{"id":"${'a'.repeat(40 * 1024 * 1024)}"}]}}]}`;
    expect(await refused(await zip('bomb.zip', { [NAME]: bomb }))).toBe(
      `Problem：压缩包里的 ${NAME} 解开后过大`,
    );
  });
});

describe('parts of a Ghost post for members', () => {
  const hidden = { web: { nonMember: false, memberSegment: 'status:free' } };
  test.each([
    ['a card', { lexical: lexical({ type: 'html', html: '<p>秘密</p>', visibility: hidden }) }],
    [
      'a block of the page',
      {
        html: '<p>开头</p><!--kg-gated-block:begin nonMember:false memberSegment:"status:free"--><p>秘密</p><!--kg-gated-block:end-->',
      },
    ],
    ['a short code', { html: '<p>[members_only]秘密[/members_only]</p>' }],
  ])('make it secret, or are left out: %s', async (_, post) => {
    expect(await one(post)).toMatchObject({ isSecret: true, content: expect.stringContaining('秘密') });
    const shown = await one(post, { omitsHidden: true });
    expect(shown).toMatchObject({ isSecret: false, content: expect.not.stringContaining('秘密') });
    expect(shown?.warnings[0]).toMatch(/^已略去隐藏部分/);
  });
});
