import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileService, type FileService } from '../../src/lib/server/files/file-service.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { openAccounts, type AccountStage } from './accounts.ts';
import { openSqlite, type OpenDatabase } from './open.ts';

function filesSuite(open: OpenDatabase) {
  let stage: AccountStage;
  let files: FileService;
  let alice: { id: string };
  let png: Buffer;
  let dataUrl: string;
  beforeEach(async () => {
    stage = await openAccounts(open);
    files = createFileService({
      db: stage.db,
      users: stage.users,
      directory: join(stage.folder, 'uploads'),
      now: stage.now,
    });
    const user = { username: 'alice', bio: '', gender: 'x' as const, passwordHash: 'h' };
    alice = { id: await stage.db.write((trx) => stage.users.add(trx, user)) };
    png = await twoColours(20, 20).png().toBuffer();
    dataUrl = `data:image/png;base64,${png.toString('base64')}`;
  });
  afterEach(() => stage.close());

  const onDisk = async () => (await readdir(join(stage.folder, 'uploads'))).sort();
  const rows = async () => await stage.db.read.selectFrom('files').selectAll().orderBy('name').execute();

  test('an avatar is stored, shown for its owner and told to whoever keeps copies', async () => {
    const name = await files.saveAvatar(alice, dataUrl);
    expect(name).toMatch(/^[0-9a-f]{32}\.webp$/);
    expect(await files.avatarOf('ALICE')).toMatchObject({ name, contentType: 'image/webp' });
    expect((await files.read(name)).bytes).toEqual((await files.avatarOf('alice')).bytes);
    expect((await stage.users.detail('alice')).avatar).toBe(name);
    expect(await rows()).toMatchObject([
      { name, owner_id: alice.id, kind: 'avatar', create_time: stage.now() },
    ]);
    expect(stage.events).toEqual([{ type: 'user-changed', username: 'alice', what: 'avatar' }]);
  });

  test('a new avatar replaces the former one, of several at once the last one stays', async () => {
    await files.saveAvatar(alice, dataUrl);
    await Promise.all([1, 2, 3].map(() => files.saveAvatar(alice, dataUrl)));
    const { avatar } = await stage.users.detail('alice');
    expect(await onDisk()).toEqual([avatar]);
    expect((await rows()).map(({ name }) => name)).toEqual([avatar]);
  });

  test('an image for an article is stored under a name nobody can guess', async () => {
    const [one, two] = await Promise.all([files.saveImage(alice.id, png), files.saveImage(alice.id, png)]);
    expect(one.url).toBe(`/api/file/${one.name}`);
    // Its size is in the name, so that pages can keep room for it.
    expect(one.name).toMatch(/^[0-9a-f]{32}-20x20\.png$/);
    expect(one.name).not.toBe(two.name);
    expect(await files.read(one.name)).toMatchObject({ contentType: 'image/png' });
    expect((await rows()).map(({ kind }) => kind)).toEqual(['image', 'image']);
  });

  test('a refused picture changes nothing', async () => {
    const former = await files.saveAvatar(alice, dataUrl);
    const svg = `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`;
    await expect(files.saveAvatar(alice, svg)).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
    await expect(files.saveAvatar(alice, '')).rejects.toMatchObject({ code: 'IMAGE_MISSING' });
    await expect(files.saveAvatar(alice, `${dataUrl}${'A'.repeat(3_000_000)}`)).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: '图片不能超过 2 MB',
    });
    await expect(files.saveImage(alice.id, Buffer.alloc(0))).rejects.toMatchObject({ code: 'IMAGE_MISSING' });
    await expect(files.saveImage(alice.id, Buffer.alloc(8 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: '图片不能超过 8 MB',
    });
    expect(await onDisk()).toEqual([former]);
    expect(await rows()).toHaveLength(1);
  });

  test('an upload whose account is gone leaves no file behind', async () => {
    const gone = { id: 'f'.repeat(24) };
    await expect(files.saveAvatar(gone, dataUrl)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    await expect(files.saveImage(gone.id, png)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    expect(await onDisk()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('whoever has no avatar, or does not exist, has no file', async () => {
    for (const name of ['alice', 'nobody', '', '../alice']) {
      await expect(files.avatarOf(name)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND', status: 404 });
    }
  });

  test('only names of ours are looked up, never a path', async () => {
    const { name } = await files.saveImage(alice.id, png);
    await writeFile(join(stage.folder, 'secret.png'), 'secret');
    await writeFile(join(stage.folder, 'uploads', 'note.png'), 'secret');
    for (const text of [
      '',
      '.',
      '..',
      '../secret.png',
      '..\\secret.png',
      '%2e%2e%2fsecret.png',
      'note.png',
      `./${name}`,
      `../uploads/${name}`,
      `${name}\0`,
      `${name}\n`,
      name.toUpperCase(),
      name.replace('.png', '.svg'),
      name.replace('.png', '.webp'),
      `${'0'.repeat(32)}.png`,
      join(stage.folder, 'moye.db'),
    ]) {
      await expect(files.read(text)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    }
  });

  test('what an interrupted upload left behind is removed after an hour, and nothing else', async () => {
    const kept = await files.saveImage(alice.id, png);
    const folder = join(stage.folder, 'uploads');
    const left = [`${'a'.repeat(32)}.png`, `.${'b'.repeat(32)}.part`];
    const recent = `${'c'.repeat(32)}.png`;
    for (const name of [...left, recent, 'note.txt']) await writeFile(join(folder, name), 'x');
    const old = new Date(stage.now() - 3_601_000);
    for (const name of [...left, kept.name, 'note.txt']) await utimes(join(folder, name), old, old);
    const fresh = new Date(stage.now());
    await utimes(join(folder, recent), fresh, fresh);
    expect(await files.removeOrphans()).toBe(2);
    expect(await onDisk()).toEqual([kept.name, recent, 'note.txt'].sort());
  });

  test('there is nothing to remove where nothing was ever uploaded', async () => {
    expect(await files.removeOrphans()).toBe(0);
  });
}

describe('files on SQLite', () => {
  filesSuite(openSqlite);
});
