import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openTypecho } from '../../../../src/lib/importers/typecho/typecho-site.ts';
import {
  consoleBackup,
  DUMP,
  dump,
  NO_OPTIONS,
  parsed,
  place,
  put,
  removePlace,
  rowsOfDump,
  sqliteFile,
  TYPECHO,
  whole,
} from './typecho-files.ts';

afterAll(removePlace);

describe('a site of Typecho', () => {
  test('is read from mysqldump as in the golden file', async () => {
    await expect(await whole(DUMP)).toMatchFileSnapshot(join(TYPECHO, 'expected.json'));
  });

  test('is the same from SQLite, and from a compressed dump', async () => {
    const expected = readFileSync(join(TYPECHO, 'expected.json'), 'utf8');
    expect(await whole(await sqliteFile())).toBe(expected);
    expect(await whole(put(gzipSync(dump), '.sql.gz'))).toBe(expected);
  });

  test('is the same from the backup of its console, except for settings', async () => {
    const expected = JSON.parse(readFileSync(join(TYPECHO, 'expected.json'), 'utf8'));
    const read = await parsed(put(await consoleBackup(), '.dat'), { origins: ['https://old.example'] });
    const withoutPaths = (site: typeof expected) =>
      site.articles.map((article: object) => ({ ...article, formerPaths: [] }));
    expect(withoutPaths(read)).toEqual(withoutPaths(expected));
    expect(read.comments).toEqual(expected.comments);
    expect(read.articles[0].formerPaths).toEqual(['/archives/1/', '/index.php/archives/1/']);
    expect(read.losses.map(({ what }: { what: string }) => what)).toContain('固定链接设置');
  });

  test('is the same from phpMyAdmin, with named columns and hexadecimal values', async () => {
    const rows = (await rowsOfDump()).map(([table, columns, values]) => {
      const hex = (value: string) => (value === '' ? "''" : `0x${Buffer.from(value).toString('hex')}`);
      const written = values.map((value) => (value === null ? 'NULL' : hex(value)));
      return `INSERT INTO \`${table}\` (${columns.map((name) => `\`${name}\``).join(', ')}) VALUES\r\n(${written.join(', ')});\r\n`;
    });
    const file = put(
      `-- phpMyAdmin SQL Dump\r\nSET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";\r\nSTART TRANSACTION;\r\n${rows.join('')}COMMIT;\r\n`,
    );
    const expected = readFileSync(join(TYPECHO, 'expected.json'), 'utf8');
    expect(await whole(file)).toBe(expected);
  });

  test('has its pages on request', async () => {
    const { articles, comments, losses } = await parsed(DUMP, { pages: true });
    const about = articles.find(({ title }: { title: string }) => title === '关于');
    expect(about).toMatchObject({
      isSecret: false,
      page: { order: 0 },
      status: 'normal',
      formerPaths: ['/about.html', '/index.php/about.html'],
    });
    expect(comments.some(({ article }: { article: string }) => article === about.key)).toBe(true);
    expect(JSON.stringify(losses)).not.toContain('页面');
  });

  test('has the pictures of its folder, and none from outside', async () => {
    const uploads = join(place(), 'usr', 'uploads');
    mkdirSync(join(uploads, '2019/03'), { recursive: true });
    writeFileSync(join(uploads, '2019/03/图 1.png'), 'picture');
    writeFileSync(join(place(), 'outside.png'), 'outside');
    symlinkSync(join(place(), 'outside.png'), join(uploads, 'link.png'));
    const site = await openTypecho(DUMP, { ...NO_OPTIONS, uploads });
    const picture = async (address: string) => {
      const bytes = await site.picture(address);
      return bytes && Buffer.from(bytes).toString();
    };
    expect(await picture('https://old.example/usr/uploads/2019/03/%E5%9B%BE%201.png?v=2')).toBe('picture');
    expect(await picture('/usr/uploads/2019/03/图 1.png')).toBe('picture');
    expect(await picture('https://www.old.example/usr/uploads/2019/03/%E5%9B%BE%201.png')).toBe('picture');
    for (const address of [
      'https://other.example/usr/uploads/2019/03/%E5%9B%BE%201.png',
      '/usr/uploads/link.png',
      '/usr/uploads/../../outside.png',
      '/usr/uploads/%2e%2e/%2e%2e/outside.png',
      '/usr/uploads/',
      'data:image/png;base64,xx',
    ])
      expect(await picture(address)).toBe(null);
    await site.close();
  });
});
