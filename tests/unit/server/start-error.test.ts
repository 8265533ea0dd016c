import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/lib/server/config/config.ts';
import { NewerDatabaseError } from '../../../src/lib/server/db/migrate.ts';
import { StorageUnavailableError, StorageUnusableError } from '../../../src/lib/server/storage/storage.ts';
import { reasonOfFault } from '../../../src/lib/server/db/sqlite/sqlite-faults.ts';
import { exitCodeOf, explainStart } from '../../../src/lib/server/wiring/start-error.ts';

const listening = (code: string) =>
  Object.assign(new Error(`listen ${code}: 127.0.0.1:80`), { code, syscall: 'listen' });
const unusable = (reason: string) => new StorageUnusableError(`cannot use ${reason}`);

const postgres = (reason: string, code?: string) =>
  new StorageUnusableError(`cannot use PostgreSQL database blog at db:5432: ${reason}`, {
    cause: Object.assign(new Error(reason), { code }),
  });
const CA = 'sslrootcert=签发它的 CA 证书的路径';

test.each<[string, Error, string, number?]>([
  ['a setting', new ConfigError('PORT must be 0–65535'), '设置有误，请检查 PORT'],
  [
    'two settings',
    new ConfigError('mail needs SMTP_URL and SMTP_FROM'),
    '设置有误，请检查 SMTP_URL、SMTP_FROM',
  ],
  ['a file', new ConfigError('/data/site.json is no JSON: a URL'), '设置有误，请按前面的说明修改'],
  ['a taken port', listening('EADDRINUSE'), '端口被别的程序占用，请停掉它，或者用 PORT 换一个', 1],
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
    1,
  ],
  ['a folder', unusable('data: is not a folder'), '用不了数据文件夹，请检查 DATA_DIR'],
  [
    'a database in use',
    new StorageUnavailableError(new Error('database is locked')),
    '数据库正被别的程序占用，请等它做完再启动',
    1,
  ],
  [
    'an outage',
    new StorageUnavailableError(new Error('PostgreSQL is away')),
    '用不了 PostgreSQL，请检查 DATABASE_URL，以及数据库是否在运行',
    1,
  ],
  [
    'a server that wants encryption',
    postgres(
      'no pg_hba.conf entry for host "10.0.0.2", user "moye", database "blog", no encryption',
      '28000',
    ),
    `PostgreSQL 拒绝了不加密的连接，请在 DATABASE_URL 后面加上 ?sslmode=verify-full；证书是自己的 CA 签发的，再加上 &${CA}`,
  ],
  [
    'a self-signed certificate',
    postgres('self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN'),
    `不信任 PostgreSQL 的证书，请把签发它的 CA 证书存成文件，在 DATABASE_URL 里写 sslmode=verify-full&${CA}`,
  ],
  [
    'a certificate of another host',
    postgres("Hostname/IP does not match certificate's altnames: Host: db. is not in the cert's altnames"),
    '证书里没有 PostgreSQL 的这个主机名，请让 DATABASE_URL 里的主机名和证书一致，或改用 sslmode=verify-ca',
  ],
  ...[
    'connection requires a valid client certificate',
    'error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca:rec_layer_s3.c:918:SSL alert number 48',
    'error:0A000412:SSL routines:ssl3_read_bytes:ssl/tls alert bad certificate:rec_layer_s3.c:918:SSL alert number 42',
    'error:0480006C:PEM routines::no start line',
    'error:05800074:x509 certificate routines::key values mismatch',
  ].map((reason): [string, Error, string] => [
    `a client's certificate (${reason})`,
    postgres(reason),
    '这个 PostgreSQL 要客户端自己的证书，请在 DATABASE_URL 里用 sslcert 和 sslkey 写出一对文件的路径，证书要由它信任的 CA 签发',
  ]),
  [
    'an expired certificate',
    postgres('certificate has expired', 'CERT_HAS_EXPIRED'),
    'PostgreSQL 的证书已过期或还没有生效，请换证书，或校准时钟',
    1,
  ],
  [
    'verify-ca without a certificate',
    postgres('SECURITY WARNING: Using sslmode=verify-ca requires specifying a CA with sslrootcert.'),
    `还要有 CA 证书才能用 sslmode=verify-ca，请在 DATABASE_URL 里加上 ${CA}`,
  ],
  [
    'a wrong password, in the language of the server',
    postgres('用户 "moye" Password 认证失败', '28P01'),
    '数据库服务器没有这个用户、密码、数据库或权限，请检查 DATABASE_URL',
  ],
  [
    'a starting server',
    postgres('the database system is starting up', '57P03'),
    '用不了 PostgreSQL，请检查 DATABASE_URL，以及数据库是否在运行',
    1,
  ],
  [
    'a standby',
    postgres('it is a standby, which cannot be written to'),
    '连到的 PostgreSQL 不能写入，请检查 DATABASE_URL 是不是主库',
    1,
  ],
  [
    'a folder of another user',
    new ConfigError("DATA_DIR /data cannot be used: EACCES: permission denied, open '/data/token-secret'"),
    `没有写入的权限，这个文件夹要能由运行墨页的用户写入（uid ${process.getuid?.()}）`,
  ],
  ['a full disk', unusable('database: disk I/O error: the disk of /data is full'), '磁盘已满，请腾出空间', 1],
  [
    'a full disk for the secret',
    new ConfigError('DATA_DIR /data cannot be used: ENOSPC: no space left on device, write'),
    '磁盘已满，请腾出空间',
    1,
  ],
])('%s is explained in one line of English and Chinese', (_, error, advice, exitCode = 78) => {
  expect(exitCodeOf(error)).toBe(exitCode);
  const line = explainStart(error);
  expect(line).toMatch(/^[^\n]+$/);
  expect(line.endsWith(`。墨页没能启动：${advice}`)).toBe(true);
});

test('SQLite names a full disk where it only knows an I/O error', () => {
  const error = Object.assign(new Error('disk I/O error'), { errcode: 4874 });
  expect(reasonOfFault(error, '/data', () => 4_096)).toBe('disk I/O error: the disk of /data is full');
  expect(reasonOfFault(error, '/data', () => 1e9)).toBe(
    'disk I/O error: a quota is used up, or the disk is broken',
  );
  const other = Object.assign(new Error('unable to open database file'), { errcode: 14 });
  expect(reasonOfFault(other, '/data', () => 4_096)).toBe('unable to open database file');
});

test('an unexpected error keeps its stack', () => {
  const error = new TypeError('x is not a function');
  expect(explainStart(error)).toBe(error.stack);
  expect(exitCodeOf(error)).toBe(1);
});
