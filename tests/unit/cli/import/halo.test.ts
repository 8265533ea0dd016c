import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isClear } from '../../../../src/lib/server/operations/explain.ts';
import { openHalo } from '../../../../src/lib/importers/halo/halo-site.ts';
import { FORMAT } from '../../../../src/lib/importers/halo/extensions.ts';
import { readRows } from '../../../../src/lib/importers/json-rows.ts';
import { applyPatch } from '../../../../src/lib/importers/halo/posts.ts';
import { readWhole } from './golden-site.ts';
import { extensionsData, HALO, haloBackup, haloRows } from './halo-backup.ts';

let place: string;
beforeAll(() => (place = mkdtempSync(join(tmpdir(), 'moye-halo-'))));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let count = 0;
function put(bytes: Uint8Array): string {
  const path = join(place, `${++count}.zip`);
  writeFileSync(path, bytes);
  return path;
}

const open = (bytes: Uint8Array, options = {}) =>
  openHalo(put(bytes), { origins: [], uploads: undefined, pages: false, ...options });

async function whole(bytes: Uint8Array, options = {}): Promise<string> {
  const site = await open(bytes, options);
  try {
    return await readWhole(site);
  } finally {
    await site.close();
  }
}
const refusal = (bytes: Uint8Array) =>
  whole(bytes).then(
    () => 'taken',
    (error: Error) => (isClear(error) ? error.message : `unclear: ${error.message}`),
  );

describe('a site of Halo', () => {
  test('is read from its backup as in the golden file', async () => {
    await expect(await whole(await haloBackup())).toMatchFileSnapshot(join(HALO, 'expected.json'));
  });

  test('is the same from line-separated rows, and in another order', async () => {
    const inOrder = await whole(await haloBackup());
    const lines = haloRows()
      .toReversed()
      .map((row) => extensionsData([row]).slice(1, -1));
    expect(await whole(await haloBackup(lines.join('\n')))).toBe(inOrder);
  });

  test('has its pages on request', async () => {
    const { articles, comments } = JSON.parse(await whole(await haloBackup(), { pages: true }));
    const about = articles.find(({ key }: { key: string }) => key === 'about');
    expect(about).toMatchObject({ isSecret: false, slug: 'about', formerPaths: ['/about'] });
    expect(comments.map(({ key }: { key: string }) => key)).toEqual(expect.arrayContaining(['c4', 'r3']));
  });

  test('has the pictures of its folder, and none from outside', async () => {
    const files = {
      'workdir/attachments/upload/photo.png': Buffer.from('photo'),
      'workdir/attachments/migrate-from-1.x/2021/旧图.png': Buffer.from('old'),
      'workdir/keys/id_rsa': Buffer.from('secret'),
    };
    const site = await open(await haloBackup(undefined, files));
    const picture = async (address: string) => {
      const bytes = await site.picture(address);
      return bytes && Buffer.from(bytes).toString();
    };
    expect(await picture('/upload/photo.png?width=400')).toBe('photo');
    expect(await picture('https://old.example/upload/photo.png')).toBe('photo');
    expect(await picture('/upload/2021/旧图.png')).toBe('old');
    for (const address of [
      'https://other.example/upload/photo.png',
      '/upload/none.png',
      '/upload/../../keys/id_rsa',
      '/upload/%2e%2e/%2e%2e/keys/id_rsa',
      '/keys/id_rsa',
      '',
    ])
      expect(await picture(address)).toBe(null);
    await site.close();
    expect(readdirSync(place).every((name) => name.endsWith('.zip'))).toBe(true);
  });
});

test('a backup made on Windows has its pictures', async () => {
  const path = 'workdir/attachments/upload/photo.png';
  const bytes = Buffer.from(await haloBackup(undefined, { [path]: Buffer.from('photo') })).toString('latin1');
  const windows = Buffer.from(bytes.replaceAll(path, path.replaceAll('/', '\\')), 'latin1');
  const site = await open(windows);
  expect(await site.picture('/upload/photo.png')).toEqual(Buffer.from('photo'));
  await site.close();
});

describe('a backup', () => {
  test.each([
    ['that is no zip', async () => Buffer.from('no zip'), '压缩包不完整或已损坏'],
    ['that is empty', async () => Buffer.alloc(0), '压缩包不完整或已损坏'],
    ['that is cut off', async () => (await haloBackup()).subarray(0, 3000), '压缩包不完整或已损坏'],
    ['whose bytes were changed', async () => changed(await haloBackup(), 900), '压缩包不完整或已损坏'],
    [
      'of another product',
      async () => haloBackup('x', {}).then((bytes) => renamed(bytes)),
      '压缩包里没有 extensions.data，不是 Halo 2 的备份',
    ],
    ['without rows', () => haloBackup('[]'), '备份里没有数据'],
    [
      'without users',
      () => haloBackup(extensionsData(haloRows().filter(({ name }) => !name.startsWith('/registry/users')))),
      '备份里没有用户，不是 Halo 2 的备份',
    ],
    [
      'whose rows are something else',
      () => haloBackup('[{"a":1}]'),
      'extensions.data 里有看不懂的数据，不是 Halo 2 的备份',
    ],
    [
      'whose rows end too early',
      () => haloBackup(extensionsData(haloRows()).slice(0, -9)),
      'extensions.data 不完整或已损坏',
    ],
    [
      'whose array has no end',
      () => haloBackup(extensionsData(haloRows()).slice(0, -1)),
      'extensions.data 不完整或已损坏',
    ],
    ['that is no JSON', () => haloBackup('hello'), 'extensions.data 不完整或已损坏'],
    [
      'with a path that leads out',
      () => haloBackup(undefined, { 'workdir/attachments/../../x.png': Buffer.from('x') }),
      '压缩包里有指向文件夹之外的路径："workdir/attachments/../../x.png"',
    ],
    ['that is no UTF-8', () => haloBackup(Buffer.from([0x5b, 0xff, 0x5d])), 'extensions.data 不完整或已损坏'],
    [
      'that is a bomb',
      () => haloBackup(Buffer.alloc(80 * 2 ** 20, 0x20)),
      '压缩包里的 extensions.data 解开后过大',
    ],
  ])('%s is refused in one line', async (_name, make, message) => {
    expect(await refusal(await make())).toBe(message);
  });

  test('is refused when a picture is a bomb', async () => {
    const files = { 'workdir/attachments/upload/photo.png': Buffer.alloc(70 * 2 ** 20) };
    const site = await open(await haloBackup(undefined, files));
    expect(await site.picture('/upload/photo.png')).toBe(null);
    await site.close();
  });
});

const changed = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 0x55 : byte));
/** Renames the zip entry in both places that contain its name. */
const renamed = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(bytes).toString('latin1').replaceAll('extensions.data', 'extensions.dato'),
    'latin1',
  );

describe('rows of JSON', () => {
  const rowsIn = (pieces: Iterable<Uint8Array>) =>
    Array.fromAsync(readRows(Readable.from(pieces), FORMAT), ({ row }) => row);
  const bytesOf = (text: string) => Array.from(Buffer.from(text), (byte) => Buffer.of(byte));

  test('are the same for any chunk boundaries', async () => {
    const rows = [{ a: '"}{\\', b: { c: [1, { d: '\\"' }] } }, {}, { e: '汉😀\n' }];
    const bytes = Buffer.from(` ${JSON.stringify(rows)}\n`);
    expect(await rowsIn(bytesOf(bytes.toString()))).toEqual(rows);
    for (let at = 0; at <= bytes.length; at += 1)
      expect(await rowsIn([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(rows);
  });

  test.each(['[{]', '[{}', '{}]', '[[{}]]', '{}}', '"x"', '[1]', '{"a":}', '{} x {}', '[{"a":"'])(
    '%s is refused',
    async (text) => {
      await expect(rowsIn([Buffer.from(text)])).rejects.toThrow('extensions.data');
      await expect(rowsIn(bytesOf(text))).rejects.toThrow('extensions.data');
    },
  );

  test('are refused when one would fill memory', async () => {
    const endless = (function* () {
      yield Buffer.from('[{"a":"');
      for (;;) yield Buffer.alloc(2 ** 20, 'x');
    })();
    await expect(rowsIn(endless)).rejects.toThrow('超过 64 MiB');
  });
});

describe('a patch of Halo', () => {
  const chunk = (position: number, lines: string[] = []) => ({ position, lines, changePosition: null });
  const patch = (...deltas: [type: string, at: number, from: string[], to: string[]][]) =>
    JSON.stringify(
      deltas.map(([type, at, from, to]) => ({ type, source: chunk(at, from), target: chunk(0, to) })),
    );

  test('changes, inserts and deletes lines anywhere', () => {
    const original = 'a\nb\nc\nd';
    expect(
      applyPatch(
        original,
        patch(['CHANGE', 0, ['a'], ['A', 'A2']], ['DELETE', 2, ['c'], []], ['INSERT', 4, [], ['e']]),
      ),
    ).toBe('A\nA2\nb\nd\ne');
    expect(applyPatch(original, patch(['INSERT', 4, [], ['e']], ['CHANGE', 0, ['a'], ['A']]))).toBe(
      'A\nb\nc\nd\ne',
    );
    expect(applyPatch(original, '[]')).toBe(original);
    expect(applyPatch('  ', patch(['INSERT', 0, [], ['x']]))).toBe('x');
  });

  test.each([
    ['of another text', patch(['CHANGE', 0, ['x'], ['y']])],
    ['beyond its end', patch(['INSERT', 9, [], ['y']])],
    ['over itself', patch(['CHANGE', 0, ['a', 'b'], []], ['CHANGE', 1, ['b'], []])],
    ['before its beginning', patch(['CHANGE', -1, ['a'], []])],
    ['of no JSON', 'x'],
    ['of something else', '{"a":1}'],
    ['of an unknown kind', patch(['MOVE', 0, ['a'], []])],
  ])('%s is refused', (_name, text) => {
    expect(applyPatch('a\nb', text)).toBe(null);
  });
});
