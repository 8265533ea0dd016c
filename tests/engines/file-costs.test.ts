import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newUser } from '../clean-texts.ts';
import type { Trx } from '../../src/lib/server/db/database.ts';
import { countWrongCounters } from '../../src/lib/server/db/stored-counters.ts';
import { createFileService, type FileService } from '../../src/lib/server/files/file-service.ts';
import { createImages, type Images } from '../../src/lib/server/files/image.ts';
import { createUploadRoom } from '../../src/lib/server/files/upload-room.ts';
import type { NoticeEvent } from '../../src/lib/server/notices/notice-event.ts';
import { QUOTAS, type QuotaLimits } from '../../src/lib/server/shared/quota-rules.ts';
import { STORED_NUMBERS } from '../../src/lib/server/quotas/quota-queries.ts';
import { createQuotas } from '../../src/lib/server/quotas/quota-service.ts';
import { noise, twoColours } from '../unit/files/pictures.ts';
import { ENGINE } from '../engine.ts';
import { openAccounts, type AccountStage } from './accounts.ts';
import { inFolder, inS3, type OpenPlace, type Place } from './upload-places.ts';
import { fakes } from '../fakes.ts';

const silent = { warn: () => {}, error: () => {} };

function costsSuite(openPlace: OpenPlace) {
  let stage: AccountStage;
  let place: Place;
  let files: FileService;
  let alice: { id: string };
  let png: Buffer;
  let dataUrl: string;
  let limit: number | null;
  let limits: QuotaLimits | null;
  let isLow: boolean;
  beforeEach(async () => {
    [limit, limits, isLow] = [null, null, false];
    stage = await openAccounts();
    place = await openPlace(stage.folder);
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

  const open = (images?: Images) =>
    createFileService({
      images,
      db: stage.db,
      users: stage.users,
      uploads: place.uploads,
      quotas: createQuotas({ db: stage.db, limits, timeZone: 'Asia/Shanghai', now: stage.now }),
      room: createUploadRoom({ db: stage.db, limit, isLow: async () => isLow, now: stage.now }),
      ...fakes({ outside: { fetch: async () => png }, log: silent }),
      now: stage.now,
    });
  const onDisk = () => place.names();
  const rows = async () => await stage.db.read.selectFrom('files').selectAll().orderBy('name').execute();

  describe('copies of a picture in fewer bytes', () => {
    const photo = () => noise(700, 350).jpeg({ quality: 95 }).toBuffer();
    /** Requests a copy until it exists and is served. */
    const shown = async (name: string, asked: string) => {
      const ask = async () => {
        const { body, ...file } = await files.read(name, asked);
        await body.cancel();
        return file.name;
      };
      await expect.poll(ask).toBe(`${name}.${asked}`);
    };
    const recorded = () => stage.db.read.selectFrom('picture_variants').selectAll().orderBy('file').execute();
    const stored = async () =>
      (await stage.db.read.selectFrom('users').select('stored_bytes').executeTakeFirstOrThrow()).stored_bytes;
    const onStorage = async () => {
      const sizes = await Promise.all((await onDisk()).map((name) => place.uploads.size(name)));
      return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    };
    /** Saves a photo and waits for its four copies. */
    const saveWithCopies = async () => {
      const { name } = await files.saveImage(alice, await photo());
      await expect.poll(async () => (await recorded()).length).toBe(4);
      return name;
    };
    const wrongNumbers = () => countWrongCounters(stage.db.read, STORED_NUMBERS);

    test('count towards the author’s storage, as the doctor counts them', async () => {
      const name = await saveWithCopies();
      const [picture] = await rows();
      expect(await stored()).toBe(await onStorage());
      expect(await stored()).toBeGreaterThan(picture?.bytes ?? 0);
      expect(await wrongNumbers()).toBe(0);
      // A copy that is made again is counted once.
      await place.uploads.remove(`${name}.480.webp`);
      await shown(name, '480.webp');
      expect(await stored()).toBe(await onStorage());
      expect(await wrongNumbers()).toBe(0);
    });

    test('unrequested for 90 days are removed, and created again on request', async () => {
      const name = await saveWithCopies();
      stage.pass(89 * 86_400);
      await (await files.read(name, '480.avif')).body.cancel();
      await files.find(name, '700.webp');
      expect(await files.removeUnusedVariants(() => false)).toBe(0);
      stage.pass(2 * 86_400);
      expect(await files.removeUnusedVariants(() => false)).toBe(2);
      expect(await onDisk()).toEqual([name, `${name}.480.avif`, `${name}.700.webp`]);
      expect([await stored(), await wrongNumbers()]).toEqual([await onStorage(), 0]);
      await shown(name, '700.avif');
      expect([await stored(), await wrongNumbers()]).toEqual([await onStorage(), 0]);
    });

    test(
      'requested 1,000 times cost no write, and one per week when recorded',
      { tags: ['once'] },
      async () => {
        const name = await saveWithCopies();
        stage.pass(6 * 86_400);
        const before = await recorded();
        for (let index = 0; index < 1_000; index++) await files.find(name, '480.avif');
        await files.flushAsked();
        expect(await recorded()).toEqual(before);
        stage.pass(86_400);
        await files.find(name, '480.avif');
        await files.flushAsked();
        const noted = (await recorded()).filter(({ asked_day }) => asked_day !== before[0]?.asked_day);
        expect(noted.map(({ file }) => file)).toEqual([`${name}.480.avif`]);
      },
    );

    test('match their records after records or files were lost', async () => {
      const name = await saveWithCopies();
      const before = await stored();
      await place.uploads.remove(`${name}.480.avif`);
      await stage.db.write(async (trx) => {
        const row = await trx
          .selectFrom('picture_variants')
          .selectAll()
          .where('file', '=', `${name}.700.webp`)
          .executeTakeFirstOrThrow();
        await trx.deleteFrom('picture_variants').where('file', '=', row.file).execute();
        await trx
          .updateTable('users')
          .set({ stored_bytes: before - row.bytes })
          .execute();
      });
      expect(await files.findVariantFaults()).toMatchObject({
        unrecorded: [{ name: `${name}.700.webp` }],
        lost: [`${name}.480.avif`],
      });
      await files.mendVariants();
      expect(await files.findVariantFaults()).toEqual({ unrecorded: [], lost: [] });
      expect([await stored(), await wrongNumbers()]).toEqual([await onStorage(), 0]);
    });

    test('are not created when the site’s storage is used up, nor are pictures accepted', async () => {
      const name = await saveWithCopies();
      const copy = `${name}.480.webp`;
      await place.uploads.remove(copy);
      const before = await onDisk();
      const expectRefusals = async (message: string) => {
        files = open();
        const full = { code: 'STORAGE_FULL', message: expect.stringContaining(message) as string };
        await expect(files.saveImage(alice, png)).rejects.toMatchObject(full);
        await expect(files.saveAvatar(alice, dataUrl)).rejects.toMatchObject(full);
        await expect(files.fetchImage(alice, 'https://example.com/a.png')).rejects.toMatchObject(full);
        const { body, ...shown } = await files.read(name, '480.webp');
        await body.cancel();
        expect(shown).toMatchObject({ name, isPassing: true });
        expect(await onDisk()).toEqual(before);
      };
      [limit, isLow] = [await onStorage(), false];
      await expectRefusals('站点的图片空间已用完，这次没有上传，请联系站长');
      [limit, isLow] = [null, true];
      await expectRefusals('网站的磁盘快满了');
    });

    test('staff is notified once when storage runs low, and again after it recovered', async () => {
      const told: NoticeEvent[] = [];
      const notices = {
        notify: async (_: Trx, event: NoticeEvent) => void told.push(event),
      };
      await saveWithCopies();
      const used = await onStorage();
      const warn = async (bytes: number) => {
        const room = createUploadRoom({ db: stage.db, limit: bytes, now: stage.now });
        await room.warn(notices);
        await room.warn(notices);
        return told.length;
      };
      expect(await warn(used * 2)).toBe(0);
      expect(await warn(used + 1)).toBe(1);
      expect(told).toMatchObject([{ kind: 'report', title: '图片空间快用完了' }]);
      // Between 75 and 80 percent nothing changes.
      expect(await warn(Math.ceil(used / 0.77))).toBe(1);
      expect(await warn(used + 1)).toBe(1);
      expect(await warn(used * 2)).toBe(1);
      expect(await warn(used + 1)).toBe(2);
    });
  });

  test('picture processing time counts towards the account’s quota, even if refused', async () => {
    limits = {
      ...Object.fromEntries(Object.keys(QUOTAS).map((kind) => [kind, 1e9])),
      pictureMs: 5_000,
    } as QuotaLimits;
    let [time, calls] = [0, 0];
    const now = () => (calls++ % 2 === 0 ? stage.now() + time : stage.now() + (time += 3_000));
    const images = createImages(now);
    files = open(images);
    const half = png.subarray(0, png.length >> 1);
    const used = async () =>
      (
        await stage.db.read
          .selectFrom('quota_uses')
          .select('used')
          .where('kind', '=', 'pictureMs')
          .executeTakeFirst()
      )?.used;
    await expect(files.saveImage(alice, half)).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
    expect(await used()).toBe(3_000);
    await files.saveImage(alice, png);
    expect(await used()).toBe(6_000);
    const noMore = { code: 'QUOTA_REACHED', message: '今天处理图片的时间已达上限（5 秒），请明天再试' };
    await expect(files.saveImage(alice, png)).rejects.toMatchObject(noMore);
    await expect(files.saveAvatar(alice, dataUrl)).rejects.toMatchObject(noMore);
    await expect(files.fetchImage(alice, 'https://example.com/a.png')).rejects.toMatchObject(noMore);
    // Imports by the operator are limited only by the size of each picture.
    await files.saveImage({ ...alice, isUnlimited: true }, png);
    expect(await used()).toBe(6_000);
  });
}

describe(`storage and time of pictures on ${ENGINE}`, () => {
  describe('in a folder', () => {
    costsSuite(inFolder);
  });
  describe('in S3', () => {
    costsSuite(inS3);
  });
});
