import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDumpRows } from '../../../../src/lib/cli/import/typecho/sql-rows.ts';
import { openTypechoSite, type TypechoRequest } from '../../../../src/lib/cli/import/typecho/typecho-site.ts';
import { readWhole } from './golden-site.ts';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/import/typecho/', import.meta.url));
const DUMP = join(FIXTURE, 'dump.sql');
const dump = readFileSync(DUMP, 'utf8');

let place: string;
beforeAll(() => (place = mkdtempSync(join(tmpdir(), 'moye-typecho-'))));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let count = 0;
/** A file with that content. */
function put(content: string | Uint8Array, ending = '.sql'): string {
  const path = join(place, `${++count}${ending}`);
  writeFileSync(path, content);
  return path;
}

async function whole(file: string, request: Partial<TypechoRequest> = {}): Promise<string> {
  const site = await openTypechoSite({ file, ...request });
  try {
    return await readWhole(site);
  } finally {
    await site.close();
  }
}
const parsed = async (file: string, request: Partial<TypechoRequest> = {}) =>
  JSON.parse(await whole(file, request));
const refusal = (file: string, request: Partial<TypechoRequest> = {}) =>
  whole(file, request).then(
    () => 'taken',
    (error: Error) => `${error.name}: ${error.message}`,
  );

/** The rows of the dump, as they stand in its tables. */
async function rowsOfDump(): Promise<[table: string, columns: readonly string[], values: (string | null)[]][]> {
  const rows: [string, readonly string[], (string | null)[]][] = [];
  await readDumpRows(ReadableStream.from([dump]), {
    wants: (table) => table.startsWith('joe_'),
    table: () => undefined,
    row: (table, columns, values) => void rows.push([table, columns, [...values]]),
  });
  return rows;
}

/** The same site as Typecho keeps it in SQLite. */
async function sqliteFile(change: (database: DatabaseSync) => void = () => undefined): Promise<string> {
  const path = join(place, `${++count}.db`);
  const database = new DatabaseSync(path);
  for (const [table, columns, values] of await rowsOfDump()) {
    const types = columns.map((name) => `"${name}" ${/id$|^created$|^modified$|^parent$|^order$/i.test(name) ? 'int(10)' : 'text'}`);
    database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${types.join(', ')})`);
    database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`).run(...values);
  }
  change(database);
  database.close();
  return path;
}

describe('a site of Typecho', () => {
  test('is read from mysqldump as it stands in the golden file', async () => {
    await expect(await whole(DUMP)).toMatchFileSnapshot(join(FIXTURE, 'expected.json'));
  });

  test('is the same from SQLite, and from a dump that is compressed', async () => {
    const expected = readFileSync(join(FIXTURE, 'expected.json'), 'utf8');
    expect(await whole(await sqliteFile())).toBe(expected);
    expect(await whole(put(gzipSync(dump), '.sql.gz'))).toBe(expected);
  });

  test('is the same from the backup of its console, but for the settings, which that lacks', async () => {
    const expected = JSON.parse(readFileSync(join(FIXTURE, 'expected.json'), 'utf8'));
    const read = await parsed(put(await consoleBackup(), '.dat'), { origins: ['https://old.example'] });
    const withoutPaths = (site: typeof expected) =>
      site.articles.map(({ formerPaths: _, ...article }: { formerPaths: string[] }) => article);
    expect(withoutPaths(read)).toEqual(withoutPaths(expected));
    expect(read.comments).toEqual(expected.comments);
    expect(read.articles[0].formerPaths).toEqual(['/archives/1/', '/index.php/archives/1/']);
    expect(read.losses.map(({ what }: { what: string }) => what)).toContain('固定链接设置');
  });

  test('is the same from phpMyAdmin: columns are named, values are hexadecimal', async () => {
    const rows = (await rowsOfDump()).map(([table, columns, values]) => {
      const hex = (value: string) => (value === '' ? "''" : `0x${Buffer.from(value).toString('hex')}`);
      const written = values.map((value) => (value === null ? 'NULL' : hex(value)));
      return `INSERT INTO \`${table}\` (${columns.map((name) => `\`${name}\``).join(', ')}) VALUES\r\n(${written.join(', ')});\r\n`;
    });
    const file = put(`-- phpMyAdmin SQL Dump\r\nSET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";\r\nSTART TRANSACTION;\r\n${rows.join('')}COMMIT;\r\n`);
    const expected = readFileSync(join(FIXTURE, 'expected.json'), 'utf8');
    expect(await whole(file)).toBe(expected);
  });

  test('has its pages when they are asked for, for their author alone', async () => {
    const { articles, comments, losses } = await parsed(DUMP, { takesPages: true });
    const about = articles.find(({ title }: { title: string }) => title === '关于');
    expect(about).toMatchObject({ isSecret: true, status: 'normal', formerPaths: ['/about.html', '/index.php/about.html'] });
    expect(comments.some(({ article }: { article: string }) => article === about.key)).toBe(true);
    expect(JSON.stringify(losses)).not.toContain('页面');
  });

  test('has the pictures of its folder, and nothing outside of it', async () => {
    const uploads = join(place, 'usr', 'uploads');
    mkdirSync(join(uploads, '2019/03'), { recursive: true });
    writeFileSync(join(uploads, '2019/03/图 1.png'), 'picture');
    writeFileSync(join(place, 'outside.png'), 'outside');
    symlinkSync(join(place, 'outside.png'), join(uploads, 'link.png'));
    const site = await openTypechoSite({ file: DUMP, uploads });
    const picture = async (address: string) => {
      const bytes = await site.picture(address);
      return bytes && Buffer.from(bytes).toString();
    };
    expect(await picture('https://old.example/usr/uploads/2019/03/%E5%9B%BE%201.png?v=2')).toBe('picture');
    expect(await picture('/usr/uploads/2019/03/图 1.png')).toBe('picture');
    expect(await picture('https://www.old.example/usr/uploads/2019/03/%E5%9B%BE%201.png')).toBe('picture');
    for (const address of ['https://other.example/usr/uploads/2019/03/%E5%9B%BE%201.png', '/usr/uploads/link.png', '/usr/uploads/../../outside.png', '/usr/uploads/%2e%2e/%2e%2e/outside.png', '/usr/uploads/', 'data:image/png;base64,xx'])
      expect(await picture(address)).toBe(null);
    await site.close();
  });
});

describe('a dump', () => {
  test('in GBK keeps its text, also where a character ends with the byte of a backslash', async () => {
    // 誠 is D5 5C.
    const [before = '', after = ''] = dump.replace('SET NAMES utf8mb4', 'SET NAMES gbk').replace(/[^\x00-\x7f]/g, 'x').split('BEGINS');
    const text = before.replace("'admin',", "'ad\u0000min',") + after;
    const at = text.indexOf('ad\u0000min');
    const bytes = Buffer.concat([Buffer.from(text.slice(0, at), 'latin1'), Buffer.from([0xd5, 0x5c]), Buffer.from(text.slice(at + 6), 'latin1')]);
    const renamed = Buffer.from(bytes.toString('latin1').replace("'xx',1551900000", "'',1551900000"), 'latin1');
    const { users } = await parsed(put(renamed));
    expect(users[0].username).toBe('誠');
  });

  test('in UTF-16, as PowerShell writes it, is read', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(dump, 'utf16le')]);
    expect(await whole(put(bytes))).toBe(readFileSync(join(FIXTURE, 'expected.json'), 'utf8'));
  });

  test('with two sites asks which, by the prefix of the tables', async () => {
    const both = put(dump.replace('-- Dump completed', `${dump.replaceAll('joe_', 'old_').replaceAll('欢迎', '再见')}\n-- Dump completed`));
    expect(await refusal(both)).toBe('UsageError: 里面有多个 Typecho 站点，请用 --prefix 选择一个表前缀：joe_、old_');
    expect((await parsed(both, { prefix: 'old_' })).articles[0].title).toContain('再见');
    expect(await refusal(both, { prefix: 'none_' })).toContain('没有 表前缀为 none_ 的 Typecho 的数据');
  });

  test.each([
    ['cut off in a row', () => dump.slice(dump.indexOf('\n'), dump.indexOf('第二篇')), 'SQL 转储不完整：它在一条语句中间结束了'],
    ['cut off between statements', () => dump.slice(0, dump.indexOf('DELIMITER')), 'SQL 转储不完整：文件末尾缺少 “Dump completed”，请重新导出'],
    ['cut off in a comment', () => dump.slice(dump.indexOf('\n'), dump.indexOf(' utf8mb4 */')), 'SQL 转储不完整：它在一条语句中间结束了'],
    ['with too few values in a row', () => dump.replace("(1,1),(1,4)", '(1),(1,4)'), 'SQL 转储里有一行看不懂的数据（表 joe_relationships），没有导入任何内容'],
    ['with a function for a value', () => dump.replace("(1,1),(1,4)", '(1,LOAD_FILE(0x41)),(1,4)'), 'SQL 转储里有一行看不懂的数据（表 joe_relationships），没有导入任何内容'],
    ['with a text for a number', () => dump.replace("(1,'默认分类'", "('x;y','默认分类'"), '数据库文件不完整或已损坏'],
    ['without names of columns', () => dump.replace(/CREATE TABLE `joe_metas`[\s\S]*?;\n/, ''), 'SQL 转储没有说明表 joe_metas 的列名：导出时请带上表结构，或使用完整插入（--complete-insert）'],
    ['of another product', () => dump.replaceAll('joe_contents', 'joe_posts'), '里面没有 Typecho 的数据（contents、comments、metas、relationships、users 五个表）'],
    ['without users', () => dump.replace(/INSERT INTO `joe_users`[^\n]*\n/, ''), '里面没有用户，不是 Typecho 的数据'],
    ['of no known character set', () => dump.replace('SET NAMES utf8mb4', 'SET NAMES koi8r'), 'SQL 转储的字符集 koi8r 不在支持之列，请用 utf8mb4 重新导出'],
    ['of SQLite', () => 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n', '这是 SQLite 的文本转储：请直接导入 SQLite 数据库文件（.db）'],
    ['of PostgreSQL', () => '--\n-- PostgreSQL database dump\n--\n', '这是 PostgreSQL 的转储：只能导入 MySQL 的转储或 SQLite 数据库文件'],
    ['that is empty', () => '', '里面没有 Typecho 的数据（contents、comments、metas、relationships、users 五个表）'],
  ])('%s is refused in one line', async (_name, make, message) => {
    expect(await refusal(put(make()))).toBe(`UsageError: ${message}`);
  });

  test('whose bytes are none of its character set, or that is a zip or cut gzip, is refused', async () => {
    const broken = Buffer.concat([Buffer.from(dump), Buffer.from([0xff, 0xff])]);
    expect(await refusal(put(broken))).toBe('UsageError: SQL 转储里有不属于字符集 utf8mb4 的字节：文件已损坏，或导出时用了别的字符集');
    expect(await refusal(put(Buffer.from('PK\u0003\u0004abc')))).toContain('这是 zip 压缩包');
    const packed = gzipSync(dump);
    expect(await refusal(put(packed.subarray(0, packed.length - 20)))).toBe('UsageError: SQL 转储的压缩数据不完整或已损坏');
  });
});

describe('a SQLite file', () => {
  test('of another product, cut off or damaged is refused in one line', async () => {
    const other = join(place, 'other.db');
    const database = new DatabaseSync(other);
    database.exec('CREATE TABLE notes (id INTEGER)');
    database.close();
    expect(await refusal(other)).toContain('没有 Typecho 的数据');
    const bytes = readFileSync(await sqliteFile());
    expect(await refusal(put(bytes.subarray(0, bytes.length - 4096), '.db'))).toBe('UsageError: 数据库文件不完整或已损坏');
    expect(await refusal(put(Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]), '.db'))).toBe('UsageError: 数据库文件不完整或已损坏');
  });

  test('with a view or virtual table in place of a table is refused, and nothing of it runs', async () => {
    const viewed = await sqliteFile((database) => {
      database.exec('DROP TABLE joe_users; CREATE VIEW joe_users AS SELECT 1 AS uid, hex(randomblob(10)) AS name');
    });
    expect(await refusal(viewed)).toContain('没有 Typecho 的数据');
  });

  test('is not changed, and nothing is left beside it', async () => {
    const file = await sqliteFile();
    const before = createHash('sha256').update(readFileSync(file)).digest('hex');
    await whole(file);
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(before);
    expect(() => readFileSync(`${file}-journal`)).toThrow('ENOENT');
  });
});

test('a backup of the console that is cut off or was changed is refused', async () => {
  const bytes = await consoleBackup();
  expect(await refusal(put(bytes.subarray(0, bytes.length - 40), '.dat'))).toBe('UsageError: Typecho 的备份文件不完整或已损坏');
  const changed = Buffer.from(bytes);
  changed[200] = (changed[200] ?? 0) ^ 1;
  expect(await refusal(put(changed, '.dat'))).toBe('UsageError: Typecho 的备份文件不完整或已损坏');
});

/** What Typecho's console saves: see `Widget\Backup`. */
async function consoleBackup(): Promise<Buffer> {
  const tables = ['contents', 'comments', 'metas', 'relationships', 'users', 'fields'];
  const mark = Buffer.from('%TYPECHO_BACKUP_0001%');
  const rows = (await rowsOfDump()).flatMap(([table, columns, values]) => {
    const number = tables.indexOf(table.slice('joe_'.length)) + 1;
    if (number === 0) return [];
    const bodies = values.map((value) => Buffer.from(value ?? ''));
    const schema = Object.fromEntries(columns.map((name, at) => [name, values[at] === null ? null : bodies[at]?.length]));
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
