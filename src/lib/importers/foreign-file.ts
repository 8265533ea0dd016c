import { ForeignFileError } from '../server/db/foreign/foreign-tables.ts';
import { UsageError } from '../cli/explain.ts';

const MESSAGES: Record<ForeignFileError['reason'], string> = {
  'no-database': '不是 SQLite 数据库文件',
  damaged: '数据库文件不完整或已损坏',
  'value-too-large': '数据库里有超过 64 MiB 的值，不是博客的数据',
  'no-room': '存放临时数据的磁盘已满：请腾出空间，或用环境变量 TMPDIR 换一个文件夹',
};

/** Converts errors of another product's database to one line for the operator; other errors are unchanged. */
export const clearly = (error: unknown): unknown =>
  error instanceof ForeignFileError ? new UsageError(MESSAGES[error.reason], { cause: error }) : error;

export function* readClearly<T>(rows: Iterable<T>): Generator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw clearly(error);
  }
}
