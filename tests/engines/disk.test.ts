import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newUser } from '../clean-texts.ts';
import { createDisk, type Disk } from '../../src/lib/server/disk/disk.ts';
import { createFileService } from '../../src/lib/server/files/file-service.ts';
import { createUploadRoom } from '../../src/lib/server/files/upload-room.ts';
import { createFolder } from '../../src/lib/server/files/folder.ts';
import { createQuotas } from '../../src/lib/server/quotas/quota-service.ts';
import type { Uploads } from '../../src/lib/server/files/uploads.ts';
import { ENGINE } from '../engine.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { openAccounts, type AccountStage } from './accounts.ts';
import { allowWriting, emptyDisk, fillDisk, forbidWriting } from './full-disk.ts';
import { MIB } from '../../src/lib/contract/rules/units.ts';
import { fakes } from '../fakes.ts';

const FULL = { code: 'STORAGE_FULL', status: 503, retryAfter: 30 };
const PNG = `${'a'.repeat(32)}.png`;
const LARGE_TEXT = 'x'.repeat(100_000);

let stage: AccountStage;
let disk: Disk;
let uploads: Uploads;
let told: string[];
let time: number;
beforeEach(async () => {
  stage = await openAccounts();
  time = Date.now();
  told = [];
  const tell = (_: unknown, message?: string) => void told.push(message ?? String(_));
  uploads = createFolder(stage.folder);
  disk = createDisk({
    db: stage.db,
    uploads: { ...uploads, put: (name, bytes) => uploads.put(name, bytes) },
    folders: [stage.folder],
    log: { error: tell, info: tell },
    now: () => time,
  });
});
afterEach(() => stage.close());

/** A write that needs disk space. */
const addUser = (username: string) =>
  disk.db.write(async (trx) => {
    const id = await stage.users.add(trx, newUser(username, LARGE_TEXT));
    await trx
      .insertInto('files')
      .values({ name: username, owner_id: id, kind: 'image', bytes: 1, create_time: 0 })
      .execute();
    return id;
  });
const names = async () => (await stage.users.listUsers()).map(({ username }) => username);

describe(`on ${ENGINE}`, () => {
  test('a write without disk space is refused without traces; reads continue, and writes once space is freed', async () => {
    await addUser('first');
    await fillDisk(stage.db);
    await expect(addUser('second')).rejects.toMatchObject(FULL);
    await expect(addUser('second')).rejects.toMatchObject(FULL);
    expect(await names()).toEqual(['first']);
    expect((await stage.users.statistics()).userNum).toBe(1);
    await emptyDisk(stage.db);
    await addUser('third');
    expect(await names()).toEqual(['first', 'third']);
  });

  test('it is logged once a minute, however many writes are refused', async () => {
    await fillDisk(stage.db);
    const line = 'the disk is full: nothing can be saved until space is freed';
    for (let index = 0; index < 3; index++) await expect(addUser('second')).rejects.toMatchObject(FULL);
    expect(told).toEqual([line]);
    time += 60_000;
    await expect(addUser('second')).rejects.toMatchObject(FULL);
    expect(told).toEqual([line, line]);
  });

  test('the disk counts as full from the first refusal until a trial write, every five seconds, succeeds', async () => {
    expect(await disk.fault()).toBe(null);
    await fillDisk(stage.db);
    await expect(addUser('second')).rejects.toMatchObject(FULL);
    expect(await disk.fault()).toBe('full');
    time += 5_000;
    expect(await disk.fault()).toBe('full');
    await emptyDisk(stage.db);
    expect(await disk.fault()).toBe('full');
    time += 5_000;
    expect(await Promise.all([disk.fault(), disk.fault()])).toEqual([null, null]);
    expect(told.at(-1)).toBe('the disk has free space again');
    expect(await disk.db.read.selectFrom('space_checks').selectAll().execute()).toEqual([]);
  });

  test('read-only storage refuses writes until a trial write succeeds; reads continue', async () => {
    await addUser('first');
    await forbidWriting(stage.db);
    const refused = { code: 'UNAVAILABLE', status: 503 };
    await expect(addUser('second')).rejects.toMatchObject(refused);
    await expect(addUser('second')).rejects.toMatchObject(refused);
    expect(await names()).toEqual(['first']);
    expect(await disk.fault()).toBe('unwritable');
    expect(told).toEqual(['storage is not writable: nothing can be saved']);
    time += 5_000;
    expect(await disk.fault()).toBe('unwritable');
    if (ENGINE === 'sqlite') return;
    await allowWriting(stage.db);
    time += 5_000;
    expect(await disk.fault()).toBe(null);
    expect(told.at(-1)).toBe('storage is writable again');
    await addUser('third');
  });

  test('storage that became read-only is detected without a user’s write', async () => {
    expect(await disk.fault()).toBe(null);
    await forbidWriting(stage.db);
    time += 5_000;
    expect(await disk.fault()).toBe('unwritable');
  });

  test('other write faults are reported unchanged', async () => {
    const fault = new Error('something else');
    await expect(disk.db.write(() => Promise.reject(fault))).rejects.toBe(fault);
    await addUser('first');
    await expect(addUser('first')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    expect([await disk.fault(), told]).toEqual([null, []]);
  });
});

test.each(['ENOSPC', 'EDQUOT'])(
  'a picture without disk space (%s) is refused without traces',
  async (code) => {
    const id = await addUser('王维');
    uploads.put = () => Promise.reject(Object.assign(new Error(code), { code }));
    const files = createFileService({
      db: disk.db,
      users: stage.users,
      uploads: disk.uploads,
      quotas: createQuotas({ db: disk.db, limits: null, timeZone: 'Asia/Shanghai', now: stage.now }),
      room: createUploadRoom({ db: disk.db, limit: null, now: stage.now }),
      ...fakes({
        outside: { fetch: async () => Buffer.alloc(0) },
        log: { warn: () => {}, error: () => {} },
      }),
      now: stage.now,
    });
    const before = await stage.db.read.selectFrom('files').selectAll().execute();
    const png = await twoColours(8, 8).png().toBuffer();
    await expect(files.saveImage({ id }, png)).rejects.toMatchObject(FULL);
    expect(await stage.db.read.selectFrom('files').selectAll().execute()).toEqual(before);
    expect(await disk.fault()).toBe(null);
  },
);

describe('the disk reserve of the database', () => {
  const withFree = (free: number, total = 100_000 * MIB) =>
    createDisk({
      db: stage.db,
      uploads,
      folders: [],
      reserve: { folder: stage.folder, bytes: 256 * MIB, measure: async () => ({ free, total }) },
      log: { error: () => {}, info: () => {} },
      now: () => time,
    });

  test('refuses uploads and copies below it, and no other writes', async () => {
    const low = withFree(256 * MIB - 1);
    const refusal = { code: 'STORAGE_FULL', message: expect.stringContaining('网站的磁盘快满了') as string };
    for (const name of [PNG, `${PNG}.480.webp`])
      await expect(low.uploads.put(name, Buffer.from('x'))).rejects.toMatchObject(refusal);
    await low.db.write((trx) => stage.users.add(trx, newUser('王维')));
    const enough = withFree(256 * MIB);
    await enough.uploads.put(PNG, Buffer.from('x'));
    expect(await enough.uploads.size(PNG)).toBe(1);
  });

  test('is a tenth of a small disk', async () => {
    await withFree(MIB, 8 * MIB).uploads.put(PNG, Buffer.from('x'));
    await expect(withFree(MIB / 2, 8 * MIB).uploads.put(PNG, Buffer.from('x'))).rejects.toMatchObject({
      code: 'STORAGE_FULL',
    });
  });
});

test.each(['EROFS', 'EACCES'])('a picture whose folder cannot be written (%s) is refused', async (code) => {
  uploads.put = () => Promise.reject(Object.assign(new Error(code), { code }));
  await expect(disk.uploads.put(PNG, new Uint8Array(1))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    status: 503,
  });
  expect(await disk.fault()).toBe(null);
});
