import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AddressBook, createAddressBook } from '../../../../src/lib/importers/folder/addresses.ts';
import { openFolder } from '../../../../src/lib/importers/folder/walk.ts';

let place: string;
let book: AddressBook;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'moye-addresses-'));
  const folder = join(place, 'docs');
  const articles = ['README.md', 'a.md', '中 文.md', 'sub/b.md', 'sub/index.md', 'sub/deep/c.markdown'];
  for (const path of [
    ...articles,
    'p.png',
    'sub/p.png',
    'static/s.png',
    '.vuepress/public/v.png',
    '../out.md',
    '../out.png',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
  book = createAddressBook(
    openFolder(folder),
    new Map(articles.map((path) => [path, path === 'a.md' ? ['2020/01/02/Old-A'] : []])),
  );
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const lead = (url: string, from = 'sub/b.md') => {
  const destination = book.resolve({ url }, from);
  return 'path' in destination
    ? destination.path + ('anchor' in destination ? destination.anchor : '')
    : destination.kind;
};

test.each([
  ['../a.md', 'a.md'],
  ['../a.md#节 一', 'a.md#节 一'],
  ['../a', 'a.md'],
  ['../a.html?x=1#y', 'a.md#y'],
  ['./deep/c', 'sub/deep/c.markdown'],
  ['.', 'sub/index.md'],
  ['./', 'sub/index.md'],
  ['../', 'README.md'],
  ['../%E4%B8%AD%20%E6%96%87.md', '中 文.md'],
  ['/sub/', 'sub/index.md'],
  ['/sub/b.html', 'sub/b.md'],
  ['/docs/a.html', 'a.md'],
  ['/2020/01/02/old-a/', 'a.md'],
  ['p.png', 'sub/p.png'],
  ['../p.png?raw=true', 'p.png'],
  ['/s.png', 'static/s.png'],
  ['/v.png', '.vuepress/public/v.png'],
  ['../../out.md', 'outside'],
  ['../../out.png', 'outside'],
  ['..%2f..%2fout.png', 'outside'],
  ['nowhere.md', 'missing-article'],
  ['nowhere.png', 'missing-image'],
  ['#x', 'other'],
  ['', 'other'],
  ['https://example.com/a.md', 'other'],
  ['//example.com/p.png', 'other'],
  ['mailto:a@b.c', 'other'],
  ['data:image/png;base64,AAAA', 'other'],
  ['/about', 'other'],
  ['%E4%ZZ.png', 'missing-image'],
  ['C:\\blog\\docs\\sub\\p.png', 'sub/p.png'],
  ['file:///Users/x/docs/%E4%B8%AD%20%E6%96%87.md', '中 文.md'],
  ['D:/elsewhere/p.png', 'local'],
  ['C:\\p.png', 'local'],
  ['\\\\nas\\share\\q.png', 'local'],
  ['file:///etc/passwd', 'local'],
  ['C:\\x\\..\\..\\..\\out.png', 'local'],
])('%s leads to %s', (url, expected) => {
  expect(lead(url)).toBe(expected);
});
