import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Problem } from '../../markdown-file/problem.ts';
import { readHead } from '../source-file.ts';
import type { DumpReader } from './sql-rows.ts';
import { MIB } from '../../contract/rules/units.ts';

const MARK = /^%TYPECHO_BACKUP_(\d{4})%$/;
const MARK_BYTES = '%TYPECHO_BACKUP_0001%'.length;
/** Tables, in the order of their numbers in the backup. */
const TABLES = ['contents', 'comments', 'metas', 'relationships', 'users', 'fields'];
const HEAD_BYTES = 8;
const MD5_BYTES = 32;
const MAX_ROW_BYTES = 64 * MIB;

/** @returns whether the file begins like backups of Typecho's console (控制台 → 备份, `.dat`) */
export async function isTypechoBackup(path: string): Promise<boolean> {
  return MARK.test((await readHead(path, MARK_BYTES)).toString('latin1'));
}

/**
 * Reads a backup of Typecho's console: rows with the number of their table, the lengths of their columns as
 * JSON, the values, and an MD5 of the row; the mark is at both ends of the file.
 * @throws Problem if a row is incomplete or was changed
 */
export async function readTypechoBackup(path: string, reader: DumpReader): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const end = size - MARK_BYTES;
    const mark = await read(file, end, MARK_BYTES);
    if (end < MARK_BYTES || !MARK.test(mark.toString('latin1'))) throw broken();
    TABLES.forEach((table) => reader.table(table));
    for (let at = MARK_BYTES; at < end;) at = await readRow(file, at, end, reader);
  } finally {
    await file.close();
  }
}

async function readRow(file: FileHandle, at: number, end: number, reader: DumpReader): Promise<number> {
  const head = await read(file, at, HEAD_BYTES);
  if (head.length < HEAD_BYTES) throw broken();
  const [number, schemaBytes, bodyBytes] = [head.readUInt16LE(0), head.readUInt16LE(2), head.readUInt32LE(4)];
  const length = HEAD_BYTES + schemaBytes + bodyBytes;
  const next = at + length + MD5_BYTES;
  if (bodyBytes > MAX_ROW_BYTES || next > end) throw broken();
  const row = await read(file, at, length + MD5_BYTES);
  const md5 = row.subarray(length).toString('latin1');
  if (createHash('md5').update(row.subarray(0, length)).digest('hex') !== md5) throw broken();
  const table = TABLES[number - 1];
  // Plugins may write rows with other numbers.
  if (table) take(table, row.subarray(HEAD_BYTES, HEAD_BYTES + schemaBytes), row.subarray(0, length), reader);
  return next;
}

function take(table: string, schema: Buffer, row: Buffer, reader: DumpReader): void {
  const columns = Object.entries(lengthsIn(schema));
  let at = HEAD_BYTES + schema.length;
  const values = columns.map(([, length]) => {
    if (length === null) return null;
    if (!Number.isSafeInteger(length) || length < 0 || at + length > row.length) throw broken();
    return row.subarray(at, (at += length)).toString('utf8');
  });
  reader.row(
    table,
    columns.map(([name]) => name),
    values,
  );
}

function lengthsIn(schema: Buffer): Record<string, number | null> {
  try {
    return JSON.parse(schema.toString('utf8')) as Record<string, number | null>;
  } catch {
    throw broken();
  }
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, Math.max(at, 0));
  return bytes.subarray(0, bytesRead);
}

const broken = (): Problem => new Problem('Typecho 的备份文件不完整或已损坏');
