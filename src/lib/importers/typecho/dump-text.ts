import { Problem } from '../../markdown-file/problem.ts';
import { isZlibError, openUnpacked } from '../source-file.ts';

const HEAD_BYTES = 65_536;

const ENCODINGS: Readonly<Record<string, string>> = {
  utf8mb4: 'utf-8',
  utf8mb3: 'utf-8',
  utf8: 'utf-8',
  ascii: 'utf-8',
  // Names that phpMyAdmin and old servers write; the encoding is a superset of the character set.
  gbk: 'gb18030',
  gb2312: 'gb18030',
  gb18030: 'gb18030',
  big5: 'big5',
  latin1: 'windows-1252',
};

/** Files that users mistake for dumps, by how they begin. */
const OTHERS: readonly [begins: RegExp, what: string][] = [
  [/^PK/, '这是 zip 压缩包：请先解压，再导入里面的 .sql 文件'],
  [/\bforeign_keys\s*=\s*OFF;/i, '这是 SQLite 的文本转储：请直接导入 SQLite 数据库文件（.db）'],
  [/^\s*--\s*\n-- PostgreSQL database/, '这是 PostgreSQL 的转储：只能导入 MySQL 的转储或 SQLite 数据库文件'],
];
const ENDS_CHARACTERS = 2_000;

/**
 * Yields a dump as text in chunks: decompresses gzip, decodes the character set named by `SET NAMES` or the
 * byte order mark. In GBK a backslash can be the second byte of a character, so the text must be decoded
 * before it is searched.
 * @throws Problem for bytes outside the character set, and for an incomplete file
 */
export async function* readDumpText(path: string): AsyncGenerator<string> {
  let [start, end] = ['', ''];
  for await (const piece of readText(path)) {
    if (start.length < ENDS_CHARACTERS) start += piece.slice(0, ENDS_CHARACTERS);
    end = (end + piece).slice(-ENDS_CHARACTERS);
    yield piece;
  }
  const other = OTHERS.find(([begins]) => begins.test(start));
  if (other) throw new Problem(other[1]);
  // Dumps without comments (`--compact`) have neither line.
  if (/^-- (?:MySQL|MariaDB) dump /m.test(start) && !end.includes('-- Dump completed'))
    throw new Problem('SQL 转储不完整：文件末尾缺少 “Dump completed”，请重新导出');
}

async function* readText(path: string): AsyncGenerator<string> {
  const { encoding, name } = encodingOf(await headOf(path));
  const decoder = new TextDecoder(encoding, { fatal: true });
  const bytes = await openUnpacked(path);
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (isZlibError(error)) throw new Problem('SQL 转储的压缩数据不完整或已损坏', { cause: error });
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    const message = `SQL 转储里有不属于字符集 ${name} 的字节：文件已损坏，或导出时用了别的字符集`;
    throw new Problem(message, { cause: error });
  } finally {
    bytes.destroy();
  }
}

function encodingOf(head: Buffer): { encoding: string; name: string } {
  // PowerShell's `>` writes UTF-16.
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', name: 'UTF-16' };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', name: 'UTF-16' };
  const name = /\bSET\s+NAMES\s+['"]?(\w+)/i.exec(head.toString('latin1'))?.[1] ?? 'utf8mb4';
  const encoding = ENCODINGS[name.toLowerCase()];
  if (encoding === undefined)
    throw new Problem(`SQL 转储的字符集 ${name} 不在支持之列，请用 utf8mb4 重新导出`);
  return { encoding, name };
}

async function headOf(path: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const bytes = await openUnpacked(path);
  try {
    for await (const part of bytes) {
      parts.push(part as Buffer);
      length += (part as Buffer).length;
      if (length >= HEAD_BYTES) break;
    }
  } catch {
    // Reading the whole file reports the error.
  } finally {
    bytes.destroy();
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}
