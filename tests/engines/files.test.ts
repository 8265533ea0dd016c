import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newUser } from '../clean-texts.ts';
import { createFileService, type FileService } from '../../src/lib/server/files/file-service.ts';
import { createUploadRoom } from '../../src/lib/server/files/upload-room.ts';
import { createQuotas } from '../../src/lib/server/quotas/quota-service.ts';
import { temporaryFolder } from '../api/spawn.ts';
import { movingGif, noise, twoColours } from '../unit/files/pictures.ts';
import { ENGINE } from '../engine.ts';
import { openAccounts, type AccountStage } from './accounts.ts';
import { inFolder, inS3, type OpenPlace, type Place } from './upload-places.ts';
import { fakes } from '../fakes.ts';

/** Returns the bytes of a stored file. */
const bytesOf = async (files: FileService, name: string) =>
  Buffer.from(await new Response((await files.read(name)).body).arrayBuffer());

function filesSuite(openPlace: OpenPlace) {
  let stage: AccountStage;
  let place: Place;
  let files: FileService;
  let open: () => FileService;
  let logged: string[];
  let alice: { id: string };
  let png: Buffer;
  let dataUrl: string;
  beforeEach(async () => {
    stage = await openAccounts();
    place = await openPlace(stage.folder);
    logged = [];
    const note = (_: unknown, message?: string) => void logged.push(message ?? '');
    open = () =>
      createFileService({
        db: stage.db,
        users: stage.users,
        uploads: place.uploads,
        quotas: createQuotas({ db: stage.db, limits: null, timeZone: 'Asia/Shanghai', now: stage.now }),
        room: createUploadRoom({ db: stage.db, limit: null, now: stage.now }),
        ...fakes({ outside: { fetch: async () => png }, log: { warn: note, error: note } }),
        now: stage.now,
      });
    files = open();
    const user = newUser('alice');
    alice = { id: await stage.db.write((trx) => stage.users.add(trx, user)) };
    png = await twoColours(20, 20).png().toBuffer();
    dataUrl = `data:image/png;base64,${png.toString('base64')}`;
  });
  afterEach(async () => {
    await files.close();
    await place.close();
    await stage.close();
  });

  const onDisk = () => place.names();
  const rows = async () => await stage.db.read.selectFrom('files').selectAll().orderBy('name').execute();

  describe('copies of a picture in fewer bytes', () => {
    const photo = () => noise(700, 350).jpeg({ quality: 95 }).toBuffer();
    const kindOf = async (name: string, asked: string) => {
      const { body, ...file } = await files.read(name, asked);
      const bytes = Buffer.from(await new Response(body).arrayBuffer());
      const { format, width } = await sharp(bytes).metadata();
      return [file.contentType, format, width, bytes.length === file.size];
    };

    test('are created after the upload, and deleted with the picture', async () => {
      const { name } = await files.saveImage(alice, await photo());
      const copies = ['480.avif', '480.webp', '700.avif', '700.webp'].map((ending) => `${name}.${ending}`);
      await expect.poll(onDisk).toEqual([name, ...copies]);
      expect(await rows()).toHaveLength(1);
      expect(await kindOf(name, '480.webp')).toEqual(['image/webp', 'webp', 480, true]);
      expect(await kindOf(name, '700.avif')).toEqual(['image/avif', 'heif', 700, true]);
      await files.discard([name]);
      expect(await onDisk()).toEqual([]);
    });

    test('are created on request when missing, as for older pictures', async () => {
      const { name } = await files.saveImage(alice, await photo());
      await files.close();
      const before = await onDisk();
      const later = open();
      for (const copy of before.filter((each) => each !== name)) await place.uploads.remove(copy);
      expect((await later.find(name, '480.webp')).name).toBe(name);
      const [one, other] = await Promise.all([later.read(name, '480.webp'), later.read(name, '480.webp')]);
      for (const { body } of [one, other]) await body.cancel();
      await expect.poll(onDisk).toEqual([name, `${name}.480.webp`]);
      await later.close();
    });

    test('are created in known sizes only, and stay animated', async () => {
      const { name } = await files.saveImage(alice, await photo());
      for (const asked of ['481.webp', '480.png', '480.webp.webp', '../480.webp', '', '1440.avif'])
        expect((await files.find(name, asked)).name).toBe(name);
      const moving = await files.saveImage(alice, await movingGif(3, 600, 300));
      // The original is served in place of a pending copy, until it is known that the copy will not be made.
      const shown = async () => {
        const { body, name: shownName, isPassing } = await files.read(moving.name, '480.avif');
        await body.cancel();
        return [shownName, isPassing];
      };
      await expect.poll(shown).toEqual([moving.name, undefined]);
    });

    test('belong to their picture when orphans are searched', async () => {
      const { name } = await files.saveImage(alice, await photo());
      // The last copy is still being written under a temporary name.
      const copies = async () => (await onDisk()).filter((each) => !each.endsWith('.part')).length;
      await expect.poll(copies).toBe(5);
      const lost = `${'e'.repeat(32)}-700x350.jpg.480.webp`;
      await place.plant(lost, new Date(0));
      for (const each of await onDisk()) await place.touch(each, new Date(0));
      expect(await files.removeOrphans()).toBe(1);
      expect(await onDisk()).not.toContain(lost);
      expect(await onDisk()).toContain(name);
    });
  });

  test('an avatar is stored, shown for its owner, and invalidates caches', async () => {
    const name = await files.saveAvatar(alice, dataUrl);
    expect(name).toMatch(/^[0-9a-f]{32}\.webp$/);
    expect(await files.avatarOf('ALICE')).toBe(name);
    const bytes = await bytesOf(files, name);
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP');
    const told = { name, contentType: 'image/webp', size: bytes.length };
    expect(await files.find(name)).toEqual(told);
    expect((await stage.users.detail('alice')).avatar).toBe(name);
    expect(await rows()).toMatchObject([
      { name, owner_id: alice.id, kind: 'avatar', create_time: stage.now() },
    ]);
    expect(stage.events).toEqual([{ type: 'user-changed', username: 'alice', what: 'avatar' }]);
  });

  test('a new avatar replaces the former one; of concurrent ones the last stays', async () => {
    await files.saveAvatar(alice, dataUrl);
    await Promise.all([1, 2, 3].map(() => files.saveAvatar(alice, dataUrl)));
    const { avatar } = await stage.users.detail('alice');
    expect(await onDisk()).toEqual([avatar]);
    expect((await rows()).map(({ name }) => name)).toEqual([avatar]);
  });

  test('an article’s image is stored under an unguessable name', async () => {
    const [one, two] = await Promise.all([files.saveImage(alice, png), files.saveImage(alice, png)]);
    expect(one.url).toBe(`/api/file/${one.name}`);
    // The name contains the dimensions, so pages can reserve space for the picture.
    expect(one.name).toMatch(/^[0-9a-f]{32}-20x20\.png$/);
    expect(one.name).not.toBe(two.name);
    expect(await files.find(one.name)).toMatchObject({ contentType: 'image/png' });
    expect((await bytesOf(files, one.name)).subarray(1, 4).toString()).toBe('PNG');
    expect((await rows()).map(({ kind }) => kind)).toEqual(['image', 'image']);
  });

  test('a refused picture changes nothing', async () => {
    const former = await files.saveAvatar(alice, dataUrl);
    const svg = `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`;
    await expect(files.saveAvatar(alice, svg)).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
    await expect(files.saveAvatar(alice, '')).rejects.toMatchObject({ code: 'IMAGE_MISSING' });
    await expect(files.saveAvatar(alice, `${dataUrl}${'A'.repeat(23_000_000)}`)).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: '图片不能超过 16 MB',
    });
    await expect(files.saveImage(alice, Buffer.alloc(0))).rejects.toMatchObject({ code: 'IMAGE_MISSING' });
    await expect(files.saveImage(alice, Buffer.alloc(16 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: '图片不能超过 16 MB',
    });
    expect(await onDisk()).toEqual([former]);
    expect(await rows()).toHaveLength(1);
  });

  test('an upload whose account is gone leaves no file behind', async () => {
    const gone = { id: 'f'.repeat(24) };
    await expect(files.saveAvatar(gone, dataUrl)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    await expect(files.saveImage(gone, png)).rejects.toMatchObject({ code: 'SIGNIN_REQUIRED' });
    expect(await onDisk()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('a user without an avatar and an unknown user have no file', async () => {
    for (const name of ['alice', 'nobody', '', '../alice']) {
      await expect(files.avatarOf(name)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND', status: 404 });
    }
  });

  test('only valid names are looked up, never a path', async () => {
    const { name } = await files.saveImage(alice, png);
    await writeFile(join(stage.folder, 'secret.png'), 'secret');
    await place.plant('note.png', new Date());
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
      await expect(files.find(text)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    }
  });

  test('leftovers of an interrupted upload are removed after an hour, and nothing else', async () => {
    const kept: string[] = [];
    for (let count = 0; count < 4; count++) kept.push((await files.saveImage(alice, png)).name);
    const old = new Date(stage.now() - 3_601_000);
    const left = [`${'a'.repeat(32)}.png`, `${'b'.repeat(32)}-20x20.webp`];
    const recent = `${'c'.repeat(32)}.png`;
    for (const name of [...left, 'note.txt']) await place.plant(name, old);
    await place.plant(recent, new Date(stage.now()));
    for (const name of kept) await place.touch(name, old);
    expect(await files.removeOrphans()).toBe(2);
    expect(await onDisk()).toEqual([...kept, recent, 'note.txt'].sort());
  });

  test('files of another database are left alone', async () => {
    const old = new Date(stage.now() - 3_601_000);
    const { name } = await files.saveImage(alice, png);
    await place.touch(name, old);
    const foreign = [`${'a'.repeat(32)}.png`, `${'b'.repeat(32)}.png`];
    for (const each of foreign) await place.plant(each, old);
    expect(await files.removeOrphans()).toBe(0);
    expect(await onDisk()).toEqual([name, ...foreign].sort());
    expect(logged).toEqual(['most uploads are unknown to the database: removing none']);
  });

  test('nothing is removed before the first upload', async () => {
    expect(await files.removeOrphans()).toBe(0);
  });

  test(
    'while storage is unreachable uploads are refused without changes; afterwards they work again',
    { tags: ['once'] },
    async () => {
      const avatar = await files.saveAvatar(alice, dataUrl);
      const before = await rows();
      await place.lose();
      const cannotSave = { code: 'UNAVAILABLE', status: 503, message: '图片暂时无法保存，请稍后再试' };
      await expect(files.saveImage(alice, png)).rejects.toMatchObject(cannotSave);
      await expect(files.saveAvatar(alice, dataUrl)).rejects.toMatchObject(cannotSave);
      const cannotRead = { code: 'UNAVAILABLE', status: 503, message: '图片暂时无法读取，请稍后再试' };
      await expect(files.read(avatar)).rejects.toMatchObject(cannotRead);
      await expect(files.find(avatar)).rejects.toMatchObject(cannotRead);
      await expect(files.removeOrphans()).rejects.toBeInstanceOf(Error);
      expect(new Set(logged)).toEqual(new Set(['uploads storage is unreachable']));
      await place.find();
      expect(await rows()).toEqual(before);
      expect(await onDisk()).toEqual([avatar]);
      expect(await files.find(avatar)).toMatchObject({ name: avatar });
      expect((await files.saveImage(alice, png)).name).toMatch(/\.png$/);
    },
  );

  test('an avatar is replaced even when its former file cannot be removed', async () => {
    const former = await files.saveAvatar(alice, dataUrl);
    const remove = place.uploads.remove;
    place.uploads.remove = () => Promise.reject(new Error('gone'));
    const next = await files.saveAvatar(alice, dataUrl);
    place.uploads.remove = remove;
    expect((await stage.users.detail('alice')).avatar).toBe(next);
    expect((await rows()).map(({ name }) => name)).toEqual([next]);
    expect(await onDisk()).toEqual([former, next].sort());
    expect(logged).toEqual(['removing an upload failed']);
  });
}

describe(`files on ${ENGINE}`, () => {
  describe('in a folder', () => {
    filesSuite(inFolder);
  });
  describe('in S3', () => {
    filesSuite(inS3);
  });
});

test('an unfinished file in a folder is removed after an hour', async () => {
  await using folder = await temporaryFolder();
  const old = new Date(Date.now() - 3_601_000);
  const place = await inFolder(folder.path);
  await place.plant(`.${'b'.repeat(32)}.part`, old);
  const listed = (await Array.fromAsync(place.uploads.listOlder(Date.now() - 3_600_000))).flat();
  expect(listed).toEqual([{ name: `.${'b'.repeat(32)}.part`, bytes: 1 }]);
  await place.uploads.remove(listed[0]?.name ?? '');
  expect(await place.names()).toEqual([]);
});
