import { ConfigError, EXIT_CONFIG } from '../config/config.ts';
import { NewerDatabaseError } from '../db/migrate.ts';
import { reasonOf } from '../db/postgres/postgres-pool.ts';
import { StorageUnavailableError, StorageUnusableError } from '../storage/storage.ts';

/** Variables in a message: those with an underscore, and the two without. */
const VARIABLES = /\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST)\b/g;

/** What the operator can do, and whether a later start can succeed without it. */
interface Advice {
  text: string;
  mayPass: boolean;
}

const mend = (text: string): Advice => ({ text, mayPass: false });
const wait = (text: string): Advice => ({ text, mayPass: true });

const ROOT_CERTIFICATE = 'sslrootcert=签发它的 CA 证书的路径';
const DISK_FULL = wait('磁盘已满，请腾出空间');

/** Advice by what a storage error says; the first match counts. */
const STORAGE: readonly [RegExp, Advice][] = [
  [/malformed|not a database|damaged/, mend('数据库文件已损坏，请从备份恢复')],
  [/interrupted|is not done/, mend('上一次恢复或搬移没有做完，请再运行一次那条命令')],
  [/ENOSPC|is full/, DISK_FULL],
  [
    /no encryption|SSL off/,
    mend(
      `PostgreSQL 拒绝了不加密的连接，请在 DATABASE_URL 后面加上 ?sslmode=verify-full；证书是自己的 CA 签发的，再加上 &${ROOT_CERTIFICATE}`,
    ),
  ],
  [
    /does not support SSL/,
    mend(
      '这个 PostgreSQL 没有开启加密，请在它的设置里打开 ssl；只在可信的网络里，才去掉 DATABASE_URL 的 sslmode',
    ),
  ],
  [
    /does not match certificate/,
    mend(
      '证书里没有 PostgreSQL 的这个主机名，请让 DATABASE_URL 里的主机名和证书一致，或改用 sslmode=verify-ca',
    ),
  ],
  [
    /SECURITY WARNING/,
    mend(`还要有 CA 证书才能用 sslmode=verify-ca，请在 DATABASE_URL 里加上 ${ROOT_CERTIFICATE}`),
  ],
  [
    /client certificate|certificate authentication|alert (?:unknown ca|\w* ?certificate)|PEM routines|key values mismatch/,
    mend(
      '这个 PostgreSQL 要客户端自己的证书，请在 DATABASE_URL 里用 sslcert 和 sslkey 写出一对文件的路径，证书要由它信任的 CA 签发',
    ),
  ],
  [
    /certificate (?:has expired|is not yet valid)/,
    wait('PostgreSQL 的证书已过期或还没有生效，请换证书，或校准时钟'),
  ],
  [
    /certificate/,
    mend(
      `不信任 PostgreSQL 的证书，请把签发它的 CA 证书存成文件，在 DATABASE_URL 里写 sslmode=verify-full&${ROOT_CERTIFICATE}`,
    ),
  ],
  [
    /PostgreSQL.*, (?:open|read)\b/,
    mend('读不了数据库地址里 sslrootcert、sslcert 或 sslkey 的文件，请检查路径和权限'),
  ],
  [
    /pooler|synchronous_commit|its (?:encoding|version) is/,
    mend('这个 PostgreSQL 不合要求，请按前面的说明修改 DATABASE_URL 或它的设置'),
  ],
  [/PostgreSQL.*(?:read-only|standby)/, wait('连到的 PostgreSQL 不能写入，请检查 DATABASE_URL 是不是主库')],
  [/read-?only|EACCES|EPERM|permission/i, mend('没有写入的权限，请检查数据文件夹和数据库的权限')],
  [/locked/, wait('数据库正被别的程序占用，请等它做完再启动')],
  [/PostgreSQL/, wait('用不了 PostgreSQL，请检查 DATABASE_URL，以及数据库是否在运行')],
];

/** PostgreSQL's classes of wrong accounts, missing databases and missing rights. */
const WRONG_ADDRESS = /^(?:28|3D|42501)/;

/** Returns the exit code: 78 if only the operator can mend it, else 1, after which a restart may succeed. */
export const exitCodeOf = (error: unknown): number =>
  error instanceof Error && adviceOn(error)?.mayPass === false ? EXIT_CONFIG : 1;

/** Returns one line about a failure to start, in English and Chinese; a stack trace for unexpected errors. */
export function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const advice = adviceOn(error);
  return advice === null
    ? (error.stack ?? error.message)
    : `${reasonIn(error)}。墨页没能启动：${advice.text}`;
}

function isAboutListening({ syscall }: NodeJS.ErrnoException): boolean {
  return syscall === 'listen' || syscall === 'getaddrinfo';
}

function reasonIn(error: NodeJS.ErrnoException): string {
  if (isAboutListening(error)) {
    const way = error.code === 'EADDRINUSE' ? 'another program has the port; set PORT' : 'set HOST and PORT';
    return `cannot listen: ${error.message} (${way})`;
  }
  return error instanceof StorageUnavailableError
    ? `cannot use storage: ${reasonOf(error.cause)}`
    : error.message;
}

/** Returns null for unexpected errors. */
function adviceOn(error: NodeJS.ErrnoException): Advice | null {
  if (isAboutListening(error)) {
    if (error.code === 'EADDRINUSE') return wait('端口被别的程序占用，请停掉它，或者用 PORT 换一个');
    return mend(error.code === 'EACCES' ? '没有权限使用这个端口，请用 PORT 换一个' : '请检查 HOST 和 PORT');
  }
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('entry.mjs'))
    return mend('还没有构建，请先运行 npm run build');
  if (error instanceof NewerDatabaseError) return mend('数据库由更新的版本写过，请启动那个版本');
  if (error instanceof StorageUnusableError || error instanceof StorageUnavailableError)
    return adviceOnStorage(error);
  if (!(error instanceof ConfigError)) return null;
  if (error.message.includes('ENOSPC')) return DISK_FULL;
  if (/\b(?:EACCES|EPERM|EROFS)\b/.test(error.message))
    return mend(`没有写入的权限，这个文件夹要能由运行墨页的用户写入（uid ${process.getuid?.()}）`);
  const names = [...new Set(error.message.match(VARIABLES))];
  return mend(names.length === 0 ? '设置有误，请按前面的说明修改' : `设置有误，请检查 ${names.join('、')}`);
}

function adviceOnStorage(error: StorageUnusableError | StorageUnavailableError): Advice {
  const reason = reasonIn(error);
  const found = STORAGE.find(([sign]) => sign.test(reason))?.[1];
  const { code } = (error.cause ?? {}) as { code?: unknown };
  if (found?.mayPass !== false && typeof code === 'string' && WRONG_ADDRESS.test(code))
    return mend('数据库服务器没有这个用户、密码、数据库或权限，请检查 DATABASE_URL');
  return found ?? mend('用不了数据文件夹，请检查 DATA_DIR');
}
