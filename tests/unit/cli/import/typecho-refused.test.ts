import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import {
  consoleBackup,
  dump,
  parsed,
  place,
  put,
  refusal,
  removePlace,
  sqliteFile,
  TYPECHO,
  whole,
} from './typecho-files.ts';

afterAll(removePlace);

describe('a dump', () => {
  test('in GBK keeps its text, also when a character ends with a backslash byte', async () => {
    // 誠 is D5 5C in GBK; 5C is the backslash.
    const [before = '', after = ''] = dump
      .replace('SET NAMES utf8mb4', 'SET NAMES gbk')
      .replace(/\P{ASCII}/gu, 'x')
      .split('BEGINS');
    const text = before.replace("'admin',", "'ad\u0000min',") + after;
    const at = text.indexOf('ad\u0000min');
    const bytes = Buffer.concat([
      Buffer.from(text.slice(0, at), 'latin1'),
      Buffer.from([0xd5, 0x5c]),
      Buffer.from(text.slice(at + 6), 'latin1'),
    ]);
    const renamed = Buffer.from(
      bytes.toString('latin1').replace("'xx',1551900000", "'',1551900000"),
      'latin1',
    );
    const { users } = await parsed(put(renamed));
    expect(users[0].username).toBe('誠');
  });

  test('in UTF-16, as PowerShell writes it, is read', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(dump, 'utf16le')]);
    expect(await whole(put(bytes))).toBe(readFileSync(join(TYPECHO, 'expected.json'), 'utf8'));
  });

  test('with two sites asks for the table prefix', async () => {
    const both = put(
      dump.replace(
        '-- Dump completed',
        `${dump.replaceAll('joe_', 'old_').replaceAll('欢迎', '再见')}\n-- Dump completed`,
      ),
    );
    expect(await refusal(both)).toBe(
      'Problem: 里面有多个 Typecho 站点，请用 --prefix 选择一个表前缀：joe_、old_',
    );
    expect((await parsed(both, { prefix: 'old_' })).articles[0].title).toContain('再见');
    expect(await refusal(both, { prefix: 'none_' })).toContain('没有 表前缀为 none_ 的 Typecho 的数据');
  });

  test.each([
    [
      'cut off in a row',
      () => dump.slice(dump.indexOf('\n'), dump.indexOf('第二篇')),
      'SQL 转储不完整：它在一条语句中间结束了',
    ],
    [
      'cut off between statements',
      () => dump.slice(0, dump.indexOf('DELIMITER')),
      'SQL 转储不完整：文件末尾缺少 “Dump completed”，请重新导出',
    ],
    [
      'cut off in a comment',
      () => dump.slice(dump.indexOf('\n'), dump.indexOf(' utf8mb4 */')),
      'SQL 转储不完整：它在一条语句中间结束了',
    ],
    [
      'with too few values in a row',
      () => dump.replace('(1,1),(1,4)', '(1),(1,4)'),
      'SQL 转储里有一行看不懂的数据（表 joe_relationships），没有导入任何内容',
    ],
    [
      'with a function for a value',
      () => dump.replace('(1,1),(1,4)', '(1,LOAD_FILE(0x41)),(1,4)'),
      'SQL 转储里有一行看不懂的数据（表 joe_relationships），没有导入任何内容',
    ],
    [
      'with a text for a number',
      () => dump.replace("(1,'默认分类'", "('x;y','默认分类'"),
      '数据库文件不完整或已损坏',
    ],
    [
      'without names of columns',
      () => dump.replace(/CREATE TABLE `joe_metas`[\s\S]*?;\n/, ''),
      'SQL 转储没有说明表 joe_metas 的列名：导出时请带上表结构，或使用完整插入（--complete-insert）',
    ],
    [
      'of another product',
      () => dump.replaceAll('joe_contents', 'joe_posts'),
      '里面没有 Typecho 的数据（contents、comments、metas、relationships、users 五个表）',
    ],
    [
      'without users',
      () => dump.replace(/INSERT INTO `joe_users`[^\n]*\n/, ''),
      '里面没有用户，不是 Typecho 的数据',
    ],
    [
      'of no known character set',
      () => dump.replace('SET NAMES utf8mb4', 'SET NAMES koi8r'),
      'SQL 转储的字符集 koi8r 不在支持之列，请用 utf8mb4 重新导出',
    ],
    [
      'of SQLite',
      () => 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n',
      '这是 SQLite 的文本转储：请直接导入 SQLite 数据库文件（.db）',
    ],
    [
      'of PostgreSQL',
      () => '--\n-- PostgreSQL database dump\n--\n',
      '这是 PostgreSQL 的转储：只能导入 MySQL 的转储或 SQLite 数据库文件',
    ],
    [
      'that is empty',
      () => '',
      '里面没有 Typecho 的数据（contents、comments、metas、relationships、users 五个表）',
    ],
  ])('%s is refused in one line', async (_name, make, message) => {
    expect(await refusal(put(make()))).toBe(`Problem: ${message}`);
  });

  test('with bytes invalid in its character set, or as a zip or truncated gzip, is refused', async () => {
    const broken = Buffer.concat([Buffer.from(dump), Buffer.from([0xff, 0xff])]);
    expect(await refusal(put(broken))).toBe(
      'Problem: SQL 转储里有不属于字符集 utf8mb4 的字节：文件已损坏，或导出时用了别的字符集',
    );
    expect(await refusal(put(Buffer.from('PK\u0003\u0004abc')))).toContain('这是 zip 压缩包');
    const packed = gzipSync(dump);
    expect(await refusal(put(packed.subarray(0, packed.length - 20)))).toBe(
      'Problem: SQL 转储的压缩数据不完整或已损坏',
    );
  });
});

describe('a SQLite file', () => {
  test('of another product, truncated or damaged is refused in one line', async () => {
    const other = join(place(), 'other.db');
    const database = new DatabaseSync(other);
    database.exec('CREATE TABLE notes (id INTEGER)');
    database.close();
    expect(await refusal(other)).toContain('没有 Typecho 的数据');
    const bytes = readFileSync(await sqliteFile());
    expect(await refusal(put(bytes.subarray(0, bytes.length - 4096), '.db'))).toBe(
      'Problem: 数据库文件不完整或已损坏',
    );
    expect(
      await refusal(
        put(Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]), '.db'),
      ),
    ).toBe('Problem: 数据库文件不完整或已损坏');
  });

  test('with a view or virtual table in place of a table is refused without running it', async () => {
    const viewed = await sqliteFile((database) => {
      database.exec(
        'DROP TABLE joe_users; CREATE VIEW joe_users AS SELECT 1 AS uid, hex(randomblob(10)) AS name',
      );
    });
    expect(await refusal(viewed)).toContain('没有 Typecho 的数据');
  });

  test('with a value that would fill memory is refused', async () => {
    const large = await sqliteFile((database) => {
      database.exec('UPDATE joe_contents SET text = zeroblob(68000000) WHERE cid = 2');
    });
    expect(await refusal(large)).toBe('Problem: 数据库里有超过 64 MiB 的值，不是博客的数据');
  });

  test('with generated columns has no values in them, without running them', async () => {
    const computed = await sqliteFile((database) => {
      database.exec(`CREATE TABLE copy AS SELECT * FROM joe_users; DROP TABLE joe_users;
        CREATE TABLE joe_users (uid int, created int, name text, mail text AS (upper(name)), "group" text);
        INSERT INTO joe_users SELECT uid, created, name, "group" FROM copy`);
    });
    const { users } = await parsed(computed);
    expect(users[0]).toEqual({ key: 'user:1', username: 'admin', created: 1551900000000 });
  });

  test('is not changed, and no files are left next to it', async () => {
    const file = await sqliteFile();
    const before = createHash('sha256').update(readFileSync(file)).digest('hex');
    await whole(file);
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(before);
    expect(() => readFileSync(`${file}-journal`)).toThrow('ENOENT');
  });
});

test('a truncated or modified backup of the console is refused', async () => {
  const bytes = await consoleBackup();
  expect(await refusal(put(bytes.subarray(0, bytes.length - 40), '.dat'))).toBe(
    'Problem: Typecho 的备份文件不完整或已损坏',
  );
  const changed = Buffer.from(bytes);
  changed[200] = (changed[200] ?? 0) ^ 1;
  expect(await refusal(put(changed, '.dat'))).toBe('Problem: Typecho 的备份文件不完整或已损坏');
});
