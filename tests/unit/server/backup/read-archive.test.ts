import { readFileSync } from 'node:fs';
import { createZstdCompress, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { openSecret } from '../../../../src/lib/server/backup/sealed-secret.ts';
import { check, FORMAT_1, FORMAT_1_PASSPHRASE, packed, part, partsOf, type Part } from './archives.ts';

const whole = readFileSync(FORMAT_1);
const UPLOAD = `files/${'a'.repeat(32)}.png`;
const refused = expect.objectContaining({ name: 'BackupError' });
const indexOf = (parts: Part[], beginning: string) =>
  parts.findIndex(({ header }) => header.name.startsWith(beginning));
/** The fixture with modified entries and an unmodified manifest. */
const changed = async (change: (parts: Part[]) => void): Promise<Buffer> => {
  const parts = await partsOf(FORMAT_1);
  change(parts);
  return packed(parts);
};

describe('format 1', () => {
  test('is readable as released', async () => {
    const { manifest, secret, bytes } = await check(whole);
    expect(manifest).toMatchObject({ moye_backup: 1, schema: 27, engine: 'sqlite', missing: [] });
    expect(manifest.tables.find(({ name }) => name === 'users')?.rows).toBe(2);
    expect(manifest.files.length).toBe(2);
    expect(bytes.files).toBe(manifest.files.reduce((sum, file) => sum + file.bytes, 0));
    expect(await openSecret(secret ?? '', FORMAT_1_PASSPHRASE)).toBe('the secret of the site of format 1');
  });

  test('repacked it is the same archive: its identity is its content', async () => {
    expect((await check(await changed(() => {}))).digest).toBe((await check(whole)).digest);
  });
});

describe('an archive is refused in one line', () => {
  test('truncated anywhere', async () => {
    const tar = zstdDecompressSync(whole);
    const cuts = Array.from({ length: 40 }, (_, index) => Math.floor((whole.length * index) / 40));
    for (const at of [...cuts, whole.length - 40])
      await expect(check(whole.subarray(0, at)), `${at} bytes`).rejects.toEqual(refused);
    // Without the final bytes of the zstd frame, all entries are present and compared.
    const { digest } = await check(whole);
    for (let at = whole.length - 8; at < whole.length; at++)
      expect(await check(whole.subarray(0, at)), `${at} bytes`).toMatchObject({ digest });
    // The tar inside, cut at and within blocks, in valid zstd.
    for (let at = 0; at < tar.length - 1024; at += Math.ceil(tar.length / 40 / 256) * 256)
      await expect(check(zstdCompressSync(tar.subarray(0, at))), `${at} of tar`).rejects.toEqual(refused);
  });

  test('with a changed bit, unless without effect', async () => {
    const { digest } = await check(whole);
    let found = 0;
    for (let at = 0; at < whole.length; at += at < 64 || at > whole.length - 64 ? 1 : 61) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      const result = await check(flipped).catch((error: unknown) => error);
      if (result instanceof Error) found++;
      if (result instanceof Error) expect(result, `byte ${at}`).toEqual(refused);
      else expect(result, `byte ${at}`).toMatchObject({ digest });
    }
    expect(found).toBeGreaterThan(100);
  });

  test('that was modified and repacked', async () => {
    const cases: [change: (parts: Part[]) => void, message: RegExp][] = [
      [
        (parts) => {
          const users = parts[indexOf(parts, 'tables/users/')];
          if (users) users.data = Buffer.from(String(Buffer.from(users.data)).replace('读者', '站长'));
        },
        /^备份文件已损坏：users 表和清单不一致$/,
      ],
      [
        (parts) => {
          const [file] = parts.filter(({ header }) => header.name.startsWith('files/'));
          if (file) file.data = Buffer.concat([file.data.subarray(1), Buffer.from('x')]);
        },
        /^备份文件已损坏：图片 \S+ 和清单不一致$/,
      ],
      [(parts) => parts.splice(indexOf(parts, 'files/'), 1), /图片 \S+ 和清单不一致$/],
      [(parts) => parts.splice(indexOf(parts, 'manifest'), 0, part(UPLOAD, 'x')), /图片和清单不一致$/],
      [(parts) => parts.splice(indexOf(parts, 'tables/users/'), 1), /users 表和清单不一致$/],
      [(parts) => parts.splice(indexOf(parts, 'manifest'), 1), /^备份文件不完整：没有清单$/],
      [(parts) => parts.push(part(UPLOAD, 'x')), /清单后面还有东西$/],
      [(parts) => parts.splice(indexOf(parts, 'secret'), 1), /密钥和清单不一致$/],
      [(parts) => parts.splice(1, 0, part('tables/users/000002.jsonl', '[]\n')), /不在它的位置上$/],
      [(parts) => parts.splice(1, 0, part('tables/passwd/000001.jsonl', '[]\n')), /里面有不该有的东西/],
      [
        (parts) => parts.splice(1, 0, part('tables/users/000001.jsonl', '[]\n[]\n[]\n')),
        /users 表的行数不对$/,
      ],
      [(parts) => parts.splice(1, 0, part('tables/users/000001.jsonl', '{"a":1}\n')), /第 1 行读不懂$/],
      [(parts) => parts.splice(1, 0, part('tables/users/000001.jsonl', '[]')), /读不懂$/],
    ];
    for (const [change, message] of cases)
      await expect(check(await changed(change))).rejects.toThrow(message);
  });

  test('with paths outside the folder, or anything but files', async () => {
    for (const name of [
      '../evil.png',
      '/etc/passwd',
      'files/../../evil.png',
      `files/../${'a'.repeat(32)}.png`,
      'files/a.png',
      'tables/../../x/000001.jsonl',
      'tables/users/..',
      'x'.repeat(300),
    ])
      await expect(check(await changed((parts) => parts.splice(1, 0, part(name, 'x'))))).rejects.toThrow(
        /^备份文件已损坏：里面有不该有的东西/,
      );
    for (const type of ['symlink', 'link', 'directory', 'fifo'] as const) {
      const entry = part(UPLOAD, '', { type, linkname: '/etc/passwd' });
      await expect(check(await changed((parts) => parts.splice(1, 0, entry)))).rejects.toThrow(
        '里面有不该有的东西',
      );
    }
  });

  test('of another program', async () => {
    const tar = zstdDecompressSync(whole);
    for (const bytes of [Buffer.from('hello'), gzipSync(tar), tar])
      await expect(check(bytes)).rejects.toThrow(/^不是墨页的备份文件$/);
    for (const bytes of [await packed([]), await packed([part('manifest.json', '{}')])])
      await expect(check(bytes)).rejects.toThrow(/^不是墨页的备份文件$/);
    for (const bytes of [Buffer.alloc(0), zstdCompressSync(Buffer.alloc(0)), zstdCompressSync('hello')])
      await expect(check(bytes)).rejects.toEqual(refused);
  });

  test('of a newer version', async () => {
    const newer = await changed((parts) => parts.splice(0, 1, part('head.json', '{"moye_backup":2,"x":[]}')));
    await expect(check(newer)).rejects.toThrow('这份备份是更新版本的墨页做的（格式 2）：请用那个版本恢复');
    await expect(check(whole, 26)).rejects.toThrow(
      '这份备份是更新版本的墨页做的（数据库版本 27）：请用那个版本恢复',
    );
  });

  test('with an enormous declared file size', async () => {
    const { readable, controller } = createTarPacker();
    const [head] = await partsOf(FORMAT_1);
    const data = head?.data ?? new Uint8Array();
    const first = controller.add({ name: 'head.json', size: data.length }).getWriter();
    await first.write(data);
    await first.close();
    void controller.add({ name: UPLOAD, size: 2 ** 33 - 1 });
    const blocks: Uint8Array[] = [];
    const reader = readable.getReader();
    const length = 512 + Math.ceil(data.length / 512) * 512 + 512;
    for (let held = 0; held < length; held += blocks.at(-1)?.length ?? 0)
      blocks.push((await reader.read()).value ?? new Uint8Array());
    const beginning = Buffer.concat([...blocks, Buffer.alloc(8 * 1024 * 1024)]);
    await expect(check(zstdCompressSync(beginning))).rejects.toThrow('大得不合理');
  });

  test('that decompresses beyond reason', async () => {
    const compress = createZstdCompress();
    const chunks: Buffer[] = [];
    compress.on('data', (chunk: Buffer) => chunks.push(chunk));
    const { readable, controller } = createTarPacker();
    const drained = readable.pipeTo(
      new WritableStream<Uint8Array>({
        write: (chunk) => new Promise((resolve) => compress.write(chunk, () => resolve())),
        close: () => new Promise((resolve) => compress.end(() => resolve())),
      }),
    );
    const zeros = new Uint8Array(48 * 1024 * 1024);
    const add = async (name: string, data: Uint8Array) => {
      const body = controller.add({ name, size: data.length }).getWriter();
      await body.write(data);
      await body.close();
    };
    await add('head.json', (await partsOf(FORMAT_1))[0]?.data ?? new Uint8Array());
    for (let file = 0; file < 7; file++) await add(`files/${String(file).padStart(32, '0')}.png`, zeros);
    controller.finalize();
    await drained;
    await expect(check(Buffer.concat(chunks))).rejects.toThrow('解开后大得不合理');
  });
});

test('reading stops on request', async () => {
  await expect(check(whole, undefined, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});
