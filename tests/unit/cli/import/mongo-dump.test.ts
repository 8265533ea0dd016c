import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ForeignSite } from '../../../../src/lib/importers/site/foreign-site.ts';
import { createCrc64 } from '../../../../src/lib/importers/mongo/archive.ts';
import { openMongo } from '../../../../src/lib/importers/mongo/mongo-site.ts';
import { archiveOf, crc64, FORMS, writeDump } from '../../../mongo-dump.ts';
import { OLD_BLOG } from '../../../old-blog.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'moye-dump-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const open = (path: string, uploads?: string) => openMongo(path, { origins: [], uploads });

async function everything(site: ForeignSite) {
  const [users, tags, articles, comments] = [
    await Array.fromAsync(site.users()),
    await Array.fromAsync(site.tags()),
    await Array.fromAsync(site.articles()),
    await Array.fromAsync(site.comments()),
  ];
  return { users, tags, articles, comments, losses: site.losses() };
}

test('the checksum matches its specification', () => {
  for (const text of ['', '123456789', '空山新雨后'.repeat(99)]) {
    const sum = createCrc64();
    sum.add(Buffer.from(text).subarray(0, 7));
    sum.add(Buffer.from(text).subarray(7));
    expect(BigInt.asUintN(64, sum.value())).toBe(crc64(Buffer.from(text)));
  }
  // The check value of CRC-64/XZ.
  expect(crc64(Buffer.from('123456789'))).toBe(0x995dc9bbdf1939fan);
});

test.each(FORMS)('a %s is read to the same, as often as is asked', async (form) => {
  const site = await open(writeDump(place, OLD_BLOG, form));
  const read = await everything(site);
  await expect(`${JSON.stringify(read, null, 2)}\n`).toMatchFileSnapshot(
    '../../../fixtures/import-mongo/read.json',
  );
  expect(await everything(site)).toEqual(read);
});

test('pictures are files of the folder, and never from elsewhere', async () => {
  const uploads = join(place, 'uploads');
  mkdirSync(uploads);
  writeFileSync(join(uploads, '一 1.png'), 'picture');
  writeFileSync(join(place, 'secret'), 'secret');
  const site = await open(writeDump(place, OLD_BLOG, 'folder'), uploads);
  for (const address of ['一 1.png', '/api/file/%E4%B8%80%201.png', 'https://x.example/api/file/一 1.png?a'])
    expect([address, String(await site.picture(address))]).toEqual([address, 'picture']);
  for (const address of [
    '../secret',
    '/api/file/..%2Fsecret',
    '/api/file/',
    '/other/一 1.png',
    '.',
    'none.png',
  ])
    expect([address, await site.picture(address)]).toEqual([address, null]);
});

describe('an incomplete dump is refused in one line before any row is read', () => {
  /** Reason why the dump at `path` is refused. */
  const refusal = async (path: string): Promise<unknown> => open(path).catch((reason: unknown) => reason);
  const problem = (says: string) => ({
    name: 'Problem',
    message: expect.stringMatching(new RegExp(`^.*${RegExp.escape(says)}.*$`)) as string,
  });
  const whole = archiveOf(OLD_BLOG);
  const isWhole = (at: number) => at === whole.length;

  test('an archive truncated anywhere', async () => {
    for (let at = 0; at <= whole.length; at += isWhole(at) ? 1 : Math.min(97, whole.length - at)) {
      if (isWhole(at)) break;
      const path = writeDump(place, OLD_BLOG, 'archive', (bytes) => bytes.subarray(0, at));
      expect(await refusal(path)).toMatchObject(problem(at < 4 ? '不是 mongodump 的归档' : '不完整'));
    }
    const blocks = whole.lastIndexOf(Buffer.from([0xff, 0xff, 0xff, 0xff]), -5) + 4;
    expect(
      await refusal(writeDump(place, OLD_BLOG, 'archive', (bytes) => bytes.subarray(0, blocks))),
    ).toMatchObject(problem('不完整'));
  });

  test('an archive with a changed byte', async () => {
    const at = whole.indexOf('空山新雨后') + 2;
    const path = writeDump(place, OLD_BLOG, 'archive', (bytes) => {
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    });
    expect(await refusal(path)).toMatchObject(problem('集合 Blog.pages 的校验和不对'));
  });

  test.each(['archive --gzip', 'folder --gzip'] as const)('a packed %s that is cut', async (form) => {
    const path = writeDump(place, OLD_BLOG, form);
    const file = form.startsWith('folder') ? join(path, 'Blog', 'comments.bson.gz') : path;
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 20));
    expect(await refusal(path)).toMatchObject(problem('已损坏'));
  });

  test('a truncated collection, or one with an invalid document', async () => {
    const path = writeDump(place, OLD_BLOG, 'folder');
    const file = join(path, 'Blog', 'comments.bson');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 3));
    expect(await refusal(path)).toMatchObject(problem('不完整'));
    for (const [length, says] of [
      [17 * 1024 * 1024, '超过 16 MiB'],
      [4, '长度不对'],
      [-1, '长度不对'],
      [60, '已损坏'],
    ] as const) {
      const head = Buffer.alloc(64, 9);
      head.writeInt32LE(length);
      writeFileSync(file, head);
      expect(await refusal(path)).toMatchObject(problem(says));
    }
    const nonsense = Buffer.alloc(64, 9);
    nonsense.writeInt32LE(64);
    nonsense[63] = 0;
    writeFileSync(file, nonsense);
    expect(await refusal(path)).toMatchObject(problem('有一个文档读不出来'));
  });

  test('something else', async () => {
    writeFileSync(join(place, 'picture.png'), '\x89PNG\r\n\x1a\n, which is no archive');
    expect(await refusal(join(place, 'picture.png'))).toMatchObject(problem('不是 mongodump 的归档'));
    expect(await refusal(place)).toMatchObject(problem('没有 mongodump 导出的 pages.bson'));
    expect(await refusal(writeDump(place, { movies: [{ title: '山楂树' }] }, 'archive'))).toMatchObject(
      problem('里没有文章'),
    );
  });
});
