import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { readDumpRows } from '../../../../src/lib/importers/typecho/sql-rows.ts';
import type { SourceOptions } from '../../../../src/lib/importers/site/foreign-site.ts';
import { openTypecho } from '../../../../src/lib/importers/typecho/typecho-site.ts';
import { readWhole } from './golden-site.ts';

export const TYPECHO = fileURLToPath(new URL('../../../fixtures/import/typecho/', import.meta.url));
export const DUMP = join(TYPECHO, 'dump.sql');
export const dump = readFileSync(DUMP, 'utf8');

const FOLDER = mkdtempSync(join(tmpdir(), 'moye-typecho-'));
/** Returns the folder for files; made again after another test file of this process has removed it. */
export function place(): string {
  mkdirSync(FOLDER, { recursive: true });
  return FOLDER;
}
export const removePlace = (): void => rmSync(FOLDER, { recursive: true, force: true });

export const NO_OPTIONS: SourceOptions = { origins: [], uploads: undefined, pages: false };

let count = 0;
/** Writes a file with that content; returns its path. */
export function put(content: string | Uint8Array, ending = '.sql'): string {
  const path = join(place(), `${++count}${ending}`);
  writeFileSync(path, content);
  return path;
}

export async function whole(file: string, options: Partial<SourceOptions> = {}): Promise<string> {
  const site = await openTypecho(file, { ...NO_OPTIONS, ...options });
  try {
    return await readWhole(site);
  } finally {
    await site.close();
  }
}
export const parsed = async (file: string, options: Partial<SourceOptions> = {}) =>
  JSON.parse(await whole(file, options));
export const refusal = (file: string, options: Partial<SourceOptions> = {}) =>
  whole(file, options).then(
    () => 'taken',
    (error: Error) => `${error.name}: ${error.message}`,
  );

/** Rows of the dump, by table. */
export async function rowsOfDump(): Promise<
  [table: string, columns: readonly string[], values: (string | null)[]][]
> {
  const rows: [string, readonly string[], (string | null)[]][] = [];
  await readDumpRows(Readable.from([dump]), {
    wants: (table) => table.startsWith('joe_'),
    table: () => undefined,
    row: (table, columns, values) => void rows.push([table, columns, [...values]]),
  });
  return rows;
}

/** The same site in Typecho's SQLite format. */
export async function sqliteFile(
  change: (database: DatabaseSync) => void = () => undefined,
): Promise<string> {
  const path = join(place(), `${++count}.db`);
  const database = new DatabaseSync(path);
  for (const [table, columns, values] of await rowsOfDump()) {
    const types = columns.map(
      (name) => `"${name}" ${/id$|^created$|^modified$|^parent$|^order$/i.test(name) ? 'int(10)' : 'text'}`,
    );
    database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${types.join(', ')})`);
    database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`).run(...values);
  }
  change(database);
  database.close();
  return path;
}

/** A backup in the format of Typecho's console: see `Widget\Backup`. */
export async function consoleBackup(): Promise<Buffer> {
  const tables = ['contents', 'comments', 'metas', 'relationships', 'users', 'fields'];
  const mark = Buffer.from('%TYPECHO_BACKUP_0001%');
  const rows = (await rowsOfDump()).flatMap(([table, columns, values]) => {
    const number = tables.indexOf(table.slice('joe_'.length)) + 1;
    if (number === 0) return [];
    const bodies = values.map((value) => Buffer.from(value ?? ''));
    const schema = Object.fromEntries(
      columns.map((name, at) => [name, values[at] === null ? null : bodies[at]?.length]),
    );
    const header = Buffer.from(JSON.stringify(schema));
    const body = Buffer.concat(bodies);
    const head = Buffer.alloc(8);
    head.writeUInt16LE(number, 0);
    head.writeUInt16LE(header.length, 2);
    head.writeUInt32LE(body.length, 4);
    const row = Buffer.concat([head, header, body]);
    return [row, Buffer.from(createHash('md5').update(row).digest('hex'))];
  });
  return Buffer.concat([mark, ...rows, mark]);
}
