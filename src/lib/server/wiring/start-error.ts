import { ConfigError } from '../config/config.ts';
import { NewerDatabaseError } from '../db/migrate.ts';
import { reasonOf } from '../db/postgres/postgres-pool.ts';
import { StorageUnavailableError, StorageUnusableError } from '../storage/storage.ts';

/** Variables in a message: those with an underscore, and the two without. */
const VARIABLES = /\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST)\b/g;

/** Advice by what a storage error says; the first match counts. */
const STORAGE: readonly [RegExp, string][] = [
  [/malformed|not a database|damaged/, '数据库文件已损坏，请从备份恢复'],
  [/interrupted|is not done/, '上一次恢复或搬移没有做完，请再运行一次那条命令'],
  [/read-?only|EACCES|EPERM|permission/i, '没有写入的权限，请检查数据文件夹和数据库的权限'],
  [/ENOSPC|is full/, '磁盘已满，请腾出空间'],
  [/locked/, '数据库正被别的程序占用，请等它做完再启动'],
  [/PostgreSQL/, '用不了 PostgreSQL，请检查 DATABASE_URL，以及数据库是否在运行'],
];

/** Returns one line about a failure to start, in English and Chinese; a stack trace for unexpected errors. */
export function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const advice = adviceOn(error);
  return advice === null ? (error.stack ?? error.message) : `${reasonIn(error)}。墨页没能启动：${advice}`;
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

/** Returns what the operator can do; null for unexpected errors. */
function adviceOn(error: NodeJS.ErrnoException): string | null {
  if (isAboutListening(error)) {
    if (error.code === 'EADDRINUSE') return '端口被别的程序占用，请停掉它，或者用 PORT 换一个';
    return error.code === 'EACCES' ? '没有权限使用这个端口，请用 PORT 换一个' : '请检查 HOST 和 PORT';
  }
  if (error instanceof NewerDatabaseError) return '数据库由更新的版本写过，请启动那个版本';
  if (error instanceof StorageUnusableError || error instanceof StorageUnavailableError) {
    const reason = reasonIn(error);
    return STORAGE.find(([sign]) => sign.test(reason))?.[1] ?? '用不了数据文件夹，请检查 DATA_DIR';
  }
  if (!(error instanceof ConfigError)) return null;
  const names = [...new Set(error.message.match(VARIABLES))];
  return names.length === 0 ? '设置有误，请按前面的说明修改' : `设置有误，请检查 ${names.join('、')}`;
}
