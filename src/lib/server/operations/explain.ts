const CLEAR = new Set([
  'Refusal',
  'ConfigError',
  'StorageUnusableError',
  'StorageUnavailableError',
  'NewerDatabaseError',
  'OperationError',
  'BackupError',
  'ExportError',
  'Problem',
  'UsageError',
]);

const SYSTEM: Record<string, string> = {
  ENOENT: '文件或文件夹不存在',
  ENOTDIR: '不是文件夹',
  EACCES: '没有权限',
  EPERM: '没有权限',
  EEXIST: '已经存在',
  ENOTEMPTY: '文件夹不是空的',
  EXDEV: '不在同一个文件系统里',
  EISDIR: '是文件夹，不是文件',
  EMFILE: '打开的文件过多',
  ENOSPC: '磁盘已满',
  EDQUOT: '磁盘配额已用完',
  EFBIG: '文件超过了系统允许的大小',
  EROFS: '文件系统是只读的',
  ELOOP: '符号链接成环',
};

/** Operations by system call. */
const OPERATIONS: Record<string, string> = {
  access: '读写',
  chmod: '修改权限',
  fsync: '保存',
  lstat: '查看',
  mkdir: '新建文件夹',
  open: '打开',
  opendir: '列出文件夹',
  read: '读取',
  readlink: '查看',
  realpath: '查看',
  rename: '改名',
  rm: '删除',
  rmdir: '删除',
  scandir: '列出文件夹',
  stat: '查看',
  statfs: '查看',
  unlink: '删除',
  write: '写入',
};

const SQLITE: Record<number, string> = {
  3: '没有写数据库的权限',
  5: '数据库正忙，请稍后再试',
  6: '数据库正忙，请稍后再试',
  8: '数据库是只读的，不能写入',
  10: '数据库文件读写出错，请检查磁盘',
  11: '数据库文件已损坏，请从备份恢复',
  13: '磁盘已满',
  14: '数据库文件打不开',
  26: '数据库文件已损坏，请从备份恢复',
};

/** Reports that a command cannot do its work; the message is a Chinese sentence. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Whether `explain` has a sentence for the operator; other errors need a stack trace. */
export function isClear(error: Error): boolean {
  return CLEAR.has(error.name) || (codeOf(error) ?? '') in SYSTEM || sqliteText(error) !== undefined;
}

/**
 * Returns one line for the operator. Compares names and codes, not classes: the server and the command line
 * may be separate bundles.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (error.name === 'StorageUnavailableError' && cause instanceof Error)
    return `数据库不可用：${explain(cause)}`;
  if (CLEAR.has(error.name)) return error.message;
  return sqliteText(error) ?? systemText(error) ?? error.message.split('\n', 1)[0] ?? '';
}

/** Names the operation and the path that failed, as far as the system tells them. */
function systemText(error: NodeJS.ErrnoException & { dest?: string }): string | undefined {
  const reason = SYSTEM[error.code ?? ''];
  if (reason === undefined || error.path === undefined) return reason;
  const places = [error.path, ...(error.dest === undefined ? [] : [error.dest])].join(' → ');
  return `不能${OPERATIONS[error.syscall ?? ''] ?? '使用'} ${places}：${reason}`;
}

function sqliteText(error: Error): string | undefined {
  return 'errcode' in error && typeof error.errcode === 'number' ? SQLITE[error.errcode & 0xff] : undefined;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
