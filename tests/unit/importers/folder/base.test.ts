import { expect, test } from 'vitest';
import { findBase } from '../../../../src/lib/importers/folder/run.ts';

const record = (source: string, fileHash: string) => ({ source, fileHash, articleId: '', articleHash: '' });
const records = [record('/old/a.md', '1'), record('/old/sub/b.md', '2'), record('/old/c.md', '3')];
const files = (...hashes: string[]) =>
  hashes.map((hash, index) => ({ path: ['a.md', 'sub/b.md', 'c.md'][index] ?? '', hash }));

test('a folder known by its path stays the same folder, whatever its content', () => {
  expect(findBase('/old', files('7', '8', '9'), records)).toBe('/old');
  expect(findBase('/old/sub', [{ path: 'b.md', hash: '9' }], records)).toBe('/old/sub');
});

test('a moved folder is recognised by half of its files', () => {
  expect(findBase('/new', files('1', '2', '9'), records)).toBe('/old');
  expect(findBase('/new', files('1', '8', '9'), records)).toBe('/new');
});

test('files with the same names and other text are another folder', () => {
  expect(findBase('/new', files('7', '8', '9'), records)).toBe('/new');
  expect(findBase('/old2', files('7', '8', '9'), records)).toBe('/old2');
});
