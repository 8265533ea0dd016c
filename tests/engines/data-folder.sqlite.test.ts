import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { closeDataFolder } from '../../src/lib/server/storage/data-folder.ts';
import { openSqlite } from '../../src/lib/server/db/sqlite/sqlite.ts';
import { StorageUnusableError } from '../../src/lib/server/storage/storage.ts';
import { temporaryFolder } from '../api/spawn.ts';
import { twoColours } from '../unit/files/pictures.ts';

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
const umask = process.umask();
beforeEach(async () => {
  place = await temporaryFolder();
  dataDir = join(place.path, 'data');
});
afterEach(async () => {
  process.umask(umask);
  await place[Symbol.asyncDispose]();
});

const open = (environment: Record<string, string> = {}): Promise<App> =>
  createApp(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...environment }));
const modeOf = async (...path: string[]) => ((await stat(join(...path))).mode & 0o777).toString(8);
const FILES = ['moye.sqlite', 'moye.sqlite-wal', 'moye.sqlite-shm', 'token-secret'];

/** Stores a picture and returns its file name. */
async function upload({ services }: App): Promise<string> {
  const { id } = await services.accounts.add({ username: '王维', password: '松风吹解带山月照弹琴', bio: '' });
  return (await services.files.saveImage({ id }, await twoColours(8, 8).png().toBuffer())).name;
}

describe.skipIf(process.platform === 'win32')('modes', () => {
  test('a site’s files are unreadable for other accounts, whatever the umask', async () => {
    process.umask(0);
    const app = await open();
    const picture = await upload(app);
    expect(await modeOf(dataDir)).toBe('700');
    for (const file of FILES) expect([file, await modeOf(dataDir, file)]).toEqual([file, '600']);
    expect(await modeOf(dataDir, 'uploads')).toBe('700');
    expect(await modeOf(dataDir, 'uploads', picture)).toBe('600');
    await app.close();
  });

  test('files left readable by an earlier version are restricted at the next start', async () => {
    const former = await open();
    await upload(former);
    for (const folder of [dataDir, join(dataDir, 'uploads')]) await chmod(folder, 0o755);
    for (const file of FILES) await chmod(join(dataDir, file), 0o644);
    const app = await open();
    for (const file of FILES) expect([file, await modeOf(dataDir, file)]).toEqual([file, '600']);
    expect([await modeOf(dataDir), await modeOf(dataDir, 'uploads')]).toEqual(['700', '700']);
    await app.close();
    await former.close();
  });

  test('an uploads folder elsewhere keeps its modes', async () => {
    process.umask(0o022);
    const uploads = join(place.path, 'pictures');
    const app = await open({ UPLOADS_DIR: uploads });
    const picture = await upload(app);
    expect([await modeOf(uploads), await modeOf(uploads, picture)]).toEqual(['755', '644']);
    await app.close();
  });

  test('an uploads folder that cannot be used stops the start', async () => {
    const file = join(place.path, 'a-file');
    await writeFile(file, '');
    for (const unusable of [file, join(file, 'pictures'), '/proc/moye'])
      await expect(open({ UPLOADS_DIR: unusable }), unusable).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(new RegExp(`^UPLOADS_DIR ${unusable} cannot be used: [^\\n]*$`)),
      });
  });

  test('a database created by a move is restricted too', async () => {
    process.umask(0);
    const db = await openSqlite(join(dataDir, 'moved.sqlite'));
    expect([await modeOf(dataDir), await modeOf(dataDir, 'moved.sqlite')]).toEqual(['700', '600']);
    await db.close();
  });

  test('files that cannot be restricted are logged, and the start continues', async () => {
    await mkdir(dataDir);
    // World-writable, like /tmp.
    await chmod(dataDir, 0o1777);
    await writeFile(join(dataDir, 'token-secret'), 'x');
    const told: unknown[] = [];
    closeDataFolder(dataDir, ['token-secret', 'missing'], {
      warn: (fields: unknown) => void told.push(fields),
    });
    expect(told).toEqual([{ path: dataDir, reason: 'folder is world-writable' }]);
    expect([await modeOf(dataDir), await modeOf(dataDir, 'token-secret')]).toEqual(['777', '600']);
  });
});

describe('an empty database file', () => {
  const emptyFile = async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'moye.sqlite'), '');
  };
  const refusal = (beside: string) =>
    `database ${join(dataDir, 'moye.sqlite')} is empty, but ${beside} belongs to a site: ` +
    'restore a backup, or remove the empty file to start a new site';

  test.each(['in DATA_DIR', 'elsewhere'])(
    'beside uploads %s is refused and stays as it is',
    async (where) => {
      const uploads = where === 'elsewhere' ? join(place.path, 'pictures') : join(dataDir, 'uploads');
      const former = await open({ UPLOADS_DIR: uploads });
      const picture = await upload(former);
      await former.close();
      await emptyFile();
      const error = await open({ UPLOADS_DIR: uploads }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StorageUnusableError);
      expect(error).toMatchObject({ message: refusal(uploads) });
      expect((await stat(join(dataDir, 'moye.sqlite'))).size).toBe(0);
      expect(await readdir(uploads)).toEqual([picture]);
    },
  );

  test('beside a log of SQLite’s is refused, and the log is not touched', async () => {
    await emptyFile();
    const log = join(dataDir, 'moye.sqlite-wal');
    await writeFile(log, 'what was committed last');
    await expect(open()).rejects.toThrow(refusal(log));
    expect(await readFile(log, 'utf8')).toBe('what was committed last');
  });

  test('alone becomes a new site', async () => {
    await emptyFile();
    await mkdir(join(dataDir, 'uploads'));
    const app = await open();
    expect(await app.services.users.statistics()).toEqual({ userNum: 0, pageNum: 0 });
    await app.close();
  });
});
