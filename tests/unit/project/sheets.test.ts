import { beforeAll, describe, expect, test } from 'vitest';
import { makeSheet } from '../../../tools/sheets.mjs';
import { listFiles, readText } from './source-files.ts';

const sheets = { reader: '', author: '' };
beforeAll(async () => {
  for (const name of ['reader', 'author'] as const) sheets[name] = (await makeSheet(name)).css;
});

describe('a style sheet', () => {
  test.each([
    ['of the page itself', '.page-head{'],
    ['of a group of variants', '.lg\\:block{'],
    ['named in a plain module', '.nav-link{'],
    ['of an island', '.account-item{'],
    ['of what an island loads later', '.max-w-120{'],
    ['of what comes with every island', '.z-40{'],
    ['of the theme', '--paper:'],
    ['of what stands around a page', '.site-header {'],
  ])('holds the classes %s', (_what, text) => {
    expect(sheets.reader).toContain(text);
  });

  test('for readers holds nothing that only signed-in pages use', () => {
    for (const text of ['.tab{', '.list-status{', '.sr-only{']) expect(sheets.author).toContain(text);
    for (const text of ['.tab{', '.list-status{']) expect(sheets.reader).not.toContain(text);
  });
});

test('every page that shows something brings one sheet', () => {
  for (const path of listFiles('src/pages')) {
    const text = readText(path);
    if (!text.includes('</')) continue;
    expect(text.match(/'virtual:sheet\/(reader|author)\.css'/g), path).toHaveLength(1);
  }
});
