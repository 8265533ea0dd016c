import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/lib/server/config/config.ts';
import { NewerDatabaseError } from '../../../src/lib/server/db/migrate.ts';
import { StorageUnavailableError, StorageUnusableError } from '../../../src/lib/server/storage/storage.ts';
import { explainStart } from '../../../src/lib/server/wiring/start-error.ts';

const listening = (code: string) =>
  Object.assign(new Error(`listen ${code}: 127.0.0.1:80`), { code, syscall: 'listen' });
const unusable = (reason: string) => new StorageUnusableError(`cannot use ${reason}`);

test.each<[string, Error, string]>([
  ['a setting', new ConfigError('PORT must be 0–65535'), '设置有误，请检查 PORT'],
  [
    'two settings',
    new ConfigError('mail needs SMTP_URL and SMTP_FROM'),
    '设置有误，请检查 SMTP_URL、SMTP_FROM',
  ],
  ['a file', new ConfigError('/data/site.json is no JSON: a URL'), '设置有误，请按前面的说明修改'],
  ['a taken port', listening('EADDRINUSE'), '端口被别的程序占用，请停掉它，或者用 PORT 换一个'],
  ['a port without permission', listening('EACCES'), '没有权限使用这个端口，请用 PORT 换一个'],
  ['another address', listening('EADDRNOTAVAIL'), '请检查 HOST 和 PORT'],
  ['a newer database', new NewerDatabaseError(999, 42), '数据库由更新的版本写过，请启动那个版本'],
  ['a damaged file', unusable('database: malformed'), '数据库文件已损坏，请从备份恢复'],
  [
    'permissions',
    unusable('database: attempt to write a readonly database'),
    '没有写入的权限，请检查数据文件夹和数据库的权限',
  ],
  [
    'PostgreSQL',
    unusable('PostgreSQL database blog: ECONNREFUSED'),
    '用不了 PostgreSQL，请检查 DATABASE_URL，以及数据库是否在运行',
  ],
  ['a folder', unusable('data: is not a folder'), '用不了数据文件夹，请检查 DATA_DIR'],
  [
    'a database in use',
    new StorageUnavailableError(new Error('database is locked')),
    '数据库正被别的程序占用，请等它做完再启动',
  ],
  [
    'an outage',
    new StorageUnavailableError(new Error('PostgreSQL is away')),
    '用不了 PostgreSQL，请检查 DATABASE_URL，以及数据库是否在运行',
  ],
])('%s is explained in one line of English and Chinese', (_, error, advice) => {
  const line = explainStart(error);
  expect(line).toMatch(/^[^\n]+$/);
  expect(line.endsWith(`。墨页没能启动：${advice}`)).toBe(true);
});

test('an unexpected error keeps its stack', () => {
  const error = new TypeError('x is not a function');
  expect(explainStart(error)).toBe(error.stack);
});
