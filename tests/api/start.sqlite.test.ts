import { chmod, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { ConfigError, readConfig } from '../../src/lib/server/config/config.ts';
import { startServer } from '../../src/lib/server/start.ts';
import { exitCodeOf, explainStart } from '../../src/lib/server/wiring/start-error.ts';
import { eventually } from '../eventually.ts';
import { damage } from '../engines/full-disk.ts';
import { makeSite, spawnServer, temporaryFolder } from './spawn.ts';

/** Starts a server that must fail to start; returns its exit status and output. */
async function failToStart(environment: Record<string, string>) {
  const { code, signal, stdout, stderr } = await spawnServer({ LOG_LEVEL: 'warn', ...environment }).ended;
  return { code, signal, stdout, lines: stderr.split('\n').filter((line) => line !== '') };
}

/** The exit code is 78 if a restart cannot succeed, else 1. */
const oneLine = (line: RegExp, code = 78) => ({
  code,
  signal: null,
  stdout: '',
  // In Chinese too.
  lines: [expect.stringMatching(new RegExp(`${line.source}.*。墨页没能启动：\\p{Script=Han}`, 'u'))],
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['HOST', 'no such host'],
  ['SITE_URL', 'moye.example'],
  ['SITE_URL', 'https://moye.example/blog'],
  ['SITE_URL', 'javascript:alert(1)'],
  ['TOKEN_SECRET', 'short'],
  ['ACCESS_TOKEN_TTL', '0'],
  ['ACCESS_TOKEN_TTL', '15m'],
  ['REFRESH_TOKEN_TTL', '1e9'],
  ['RATE_LIMIT', 'none'],
  ['QUOTA_UPLOADS', 'many'],
  ['QUOTA_STORAGE_MB', '-1'],
  ['CORS_ORIGINS', 'https://a.example, nonsense'],
  ['TRUST_PROXY', 'true'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://localhost/moye'],
  ['DATABASE_URL', 'localhost:5432/moye'],
  ['DATABASE_URL', 'postgres://localhost'],
  ['DATABASE_URL', 'postgres://localhost/moye?sslmode=prefer'],
  ['DATABASE_READ_URL', 'standby.example'],
  ['DATABASE_READ_URL', 'postgres://standby.example/moye'],
  ['DATABASE_POOL', '1'],
  ['WRITES_PER_COMMIT', '61'],
  ['API_ORIGIN', 'nonsense'],
  ['S3_BUCKET', 'No Bucket'],
  ['S3_ENDPOINT', 'storage.example'],
  ['S3_REGION', 'here and there'],
  ['S3_PREFIX', '../pictures'],
  ['S3_PATH_STYLE', 'yes'],
])('%s=%s is refused in one line that names it', (name, value) => {
  const read = () => readConfig({ DATA_DIR: '/nonexistent', TOKEN_SECRET: 'x'.repeat(40), [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`^${name} [^\\n]*$`));
});

test.each([
  ['PORT', 'eighty'],
  ['HOST', 'no such host'],
  ['HOST', '203.0.113.1'],
  ['HOST', 'nowhere.invalid'],
  ['UPLOADS_DIR', '/dev/null/pictures'],
])('%s=%s stops the start with one line', async (name, value) => {
  await using folder = await temporaryFolder();
  const end = await failToStart({ DATA_DIR: folder.path, [name]: value });
  expect(end).toEqual(oneLine(new RegExp(`^moye: .*${name}`)));
});

const S3 = {
  S3_BUCKET: 'pictures',
  S3_REGION: 'cn-north-1',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};

test.each(Object.keys(S3))('S3 without %s stops the start with one line', async (missing) => {
  await using folder = await temporaryFolder();
  const end = await failToStart({ DATA_DIR: folder.path, ...S3, [missing]: '' });
  expect(end).toEqual(oneLine(new RegExp(`^moye: uploads in S3 need .*${missing}`)));
});

test('two upload locations are refused', () => {
  const read = () => readConfig({ TOKEN_SECRET: 'x'.repeat(40), UPLOADS_DIR: '/srv/pictures', ...S3 });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/^UPLOADS_DIR and S3_BUCKET are both set/);
});

test('the location of uploads', () => {
  const uploads = (environment: Record<string, string>) =>
    readConfig({ TOKEN_SECRET: 'x'.repeat(40), DATA_DIR: '/srv/moye', ...environment }).uploads;
  expect(uploads({})).toEqual({ folder: '/srv/moye/uploads' });
  expect(uploads({ UPLOADS_DIR: '/mnt/pictures' })).toEqual({ folder: '/mnt/pictures' });
  const amazon = {
    bucket: 'pictures',
    region: 'cn-north-1',
    endpoint: null,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    prefix: '',
    pathStyle: false,
  };
  expect(uploads(S3)).toEqual({ s3: amazon });
  const own = { S3_ENDPOINT: 'http://minio:9000', S3_REGION: '', S3_PREFIX: '/blog/pictures' };
  const there = {
    endpoint: 'http://minio:9000',
    region: 'us-east-1',
    prefix: 'blog/pictures/',
    pathStyle: true,
  };
  expect(uploads({ ...S3, ...own })).toEqual({ s3: { ...amazon, ...there } });
  expect(uploads({ ...S3, ...own, S3_PATH_STYLE: 'off' })).toMatchObject({ s3: { pathStyle: false } });
});

test('several wrong settings are named in one line', async () => {
  const end = await failToStart({ PORT: 'x', TRUST_PROXY: 'y' });
  expect(end).toEqual(oneLine(/^moye: PORT .*TRUST_PROXY /));
});

test('the first start ends with the link that makes the operator, after one line about the database', async () => {
  await using folder = await temporaryFolder();
  const server = spawnServer({ DATA_DIR: folder.path, LOG_LEVEL: 'info' });
  let printed = '';
  server.child.stdout?.on('data', (text: string) => (printed += text));
  await eventually(() => expect(printed).toMatch(/\/setup#\S+\n/));
  const lines = printed.trimEnd().split('\n');
  const url = await server.url;
  server.child.kill('SIGTERM');
  await server.ended;
  expect(lines.filter((line) => line.includes('database migrated'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('/setup#'))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(new RegExp(`^${url}/setup#\\S+$`));
  expect(lines.at(-2)).toMatch(/成为站长.* \/ .*become the operator/);
});

test('an empty setting counts as unset', async () => {
  await using folder = await temporaryFolder();
  const server = spawnServer({
    DATA_DIR: folder.path,
    SITE_URL: '',
    TOKEN_SECRET: '',
    CORS_ORIGINS: '',
    TRUST_PROXY: '',
  });
  expect(await server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  const secret = join(folder.path, 'token-secret');
  expect((await readFile(secret, 'utf8')).length).toBeGreaterThanOrEqual(32);
  if (process.platform !== 'win32') expect((await stat(secret)).mode & 0o077).toBe(0);
});

test('a port in use', async () => {
  await using folder = await temporaryFolder();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const PORT = String((other.address() as AddressInfo).port);
  const end = await failToStart({ DATA_DIR: folder.path, PORT });
  other.close();
  expect(end).toEqual(oneLine(/^moye: cannot listen: .*PORT/, 1));
});

test.skipIf(process.platform !== 'linux').each([{}, { TOKEN_SECRET: 'x'.repeat(40) }])(
  'a data folder that cannot be made, with %o',
  async (environment) => {
    const end = await failToStart({ DATA_DIR: '/proc/moye', ...environment });
    expect(end).toEqual(oneLine(/^moye: .*\/proc\/moye/));
  },
);

test.each([{}, { TOKEN_SECRET: 'x'.repeat(40) }])(
  'a file where the data folder should be, with %o',
  async (environment) => {
    await using folder = await temporaryFolder();
    const DATA_DIR = join(folder.path, 'data');
    await writeFile(DATA_DIR, 'a file');
    expect(await failToStart({ DATA_DIR, ...environment })).toEqual(
      oneLine(/^moye: .*data.* is not a folder/),
    );
  },
);

test('a folder or a text file in place of the database', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'a', 'moye.sqlite'), { recursive: true });
  expect(await failToStart({ DATA_DIR: join(folder.path, 'a') })).toEqual(oneLine(/^moye: .*moye\.sqlite/));
  await mkdir(join(folder.path, 'b'));
  await writeFile(join(folder.path, 'b', 'moye.sqlite'), 'this is no database '.repeat(100));
  expect(await failToStart({ DATA_DIR: join(folder.path, 'b') })).toEqual(oneLine(/^moye: .*moye\.sqlite/));
});

test('a database of a newer version is left alone', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'moye.sqlite');
  const database = new DatabaseSync(file);
  database.exec(
    'create table schema_version (version integer not null); insert into schema_version values (999)',
  );
  database.close();
  expect(await failToStart({ DATA_DIR: folder.path })).toEqual(oneLine(/^moye: .*999/));
  const after = new DatabaseSync(file);
  expect(after.prepare("select name from sqlite_schema where type = 'table'").all()).toEqual([
    { name: 'schema_version' },
  ]);
  after.close();
});

test('a database that cannot be written', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'moye.sqlite');
  await makeSite({ settings: { DATA_DIR: folder.path } });
  // A file format version that this SQLite can only read (https://sqlite.org/fileformat2.html, offset 18).
  const database = await open(file, 'r+');
  await database.write(Uint8Array.of(3), 0, 1, 18);
  await database.close();
  expect(await failToStart({ DATA_DIR: folder.path })).toEqual(
    oneLine(/^moye: cannot use database .*moye\.sqlite: attempt to write a readonly database/),
  );
});

test.skipIf(process.getuid?.() === 0)(
  'a database file and a folder without the permission to write',
  async () => {
    await using folder = await temporaryFolder();
    await makeSite({ settings: { DATA_DIR: folder.path } });
    for (const path of [join(folder.path, 'moye.sqlite'), folder.path]) {
      await chmod(path, 0o500);
      expect(await failToStart({ DATA_DIR: folder.path })).toEqual(oneLine(/^moye: .*cannot/));
      await chmod(path, 0o700);
    }
  },
);

test(
  'damage found at run time: calls and health checks get 503 from then on',
  { tags: ['long'] },
  async () => {
    await using folder = await temporaryFolder();
    // The guide articles of a new site have tags.
    const first = spawnServer({ DATA_DIR: folder.path, LOG_LEVEL: 'warn' });
    await first.url;
    first.child.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
    await damage(join(folder.path, 'moye.sqlite'), 'tags');
    const server = spawnServer({ DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
    const url = await server.url;
    const answer = await fetch(`${url}/api/tag/taglist`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({ error: 'UNAVAILABLE' }),
    ]);
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.text()]).toEqual([503, 'storage does not answer\n']);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  },
);

test('a database found damaged when opened', async () => {
  await using folder = await temporaryFolder();
  await makeSite({ settings: { DATA_DIR: folder.path } });
  await damage(join(folder.path, 'moye.sqlite'), 'schema_version');
  expect(await failToStart({ DATA_DIR: folder.path })).toEqual(
    oneLine(/^moye: cannot use database .*moye\.sqlite: .*malformed/),
  );
});

test('a build that is missing', async () => {
  await using folder = await temporaryFolder();
  const config = readConfig({ DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'silent' });
  const app = await createApp(config);
  const error: unknown = await startServer(app, folder.path).then(
    () => null,
    (reason: unknown) => reason,
  );
  await app.close();
  expect(explainStart(error)).toMatch(/。墨页没能启动：还没有构建，请先运行 npm run build$/);
  expect(exitCodeOf(error)).toBe(78);
});

test('every address without SITE_URL: the printed addresses can be opened', async () => {
  await using folder = await temporaryFolder();
  const server = spawnServer({ DATA_DIR: folder.path, HOST: '0.0.0.0', LOG_LEVEL: 'warn' });
  const url = await server.url;
  expect(new URL(url).hostname).not.toBe('0.0.0.0');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  const { stdout } = await server.ended;
  const [, link = ''] = /(http:\S+)\/setup#/.exec(stdout) ?? [];
  expect(new URL(link).hostname).toBe(new URL(url).hostname);
});

test('a damaged secret', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'token-secret'), 'cut');
  expect(await failToStart({ DATA_DIR: folder.path })).toEqual(oneLine(/^moye: .*token-secret/));
});
