import { readdirSync, readFileSync } from 'node:fs';
import { Jieba, TfIdf } from '@node-rs/jieba';
import { beforeAll, describe, expect, test } from 'vitest';
import { readDictionary } from '../../../../src/lib/server/text/jieba.ts';
import { NEW_WORDS } from '../../../../src/lib/server/text/new-words.ts';
import { loadCutter } from '../../../../src/lib/server/search/text/cut.ts';
import { createCutter } from '../../../../src/lib/server/text/word-cutter.ts';
import { readWordTable } from '../../../../src/lib/server/text/word-table.ts';

const GUIDES = new URL('../../../../src/lib/server/guides/', import.meta.url);
const TEXTS = [
  ...readdirSync(GUIDES).map((name) => readFileSync(new URL(name, GUIDES), 'utf8')),
  '',
  'b超和4s店，C++ 与 a.b-c_d%e#f&g 的 x86 abc 一二3',
  '第一行\r\n第二行 \u3000末行',
  '𠮷野家与😀😀，ＡＢＣ，한국어 и русский',
  '侵华日军南京大屠杀遇难同胞纪念馆里的人们',
  '龘龘龘的字典里没有',
];

let dict: Buffer;
let idf: Buffer;
beforeAll(async () => {
  dict = await readDictionary('dict');
  idf = await readDictionary('idf');
});

test('a text is cut into the words that jieba cuts it into', () => {
  const jieba = Jieba.withDict(dict);
  const cut = createCutter(readWordTable(dict));
  for (const text of TEXTS) expect(cut(text)).toEqual(jieba.cut(text, false));
});

test('a question is cut as with the whole dictionary and the new words', async () => {
  const whole = Jieba.withDict(dict);
  whole.loadDict(Buffer.from(NEW_WORDS.map((word) => `${word} 2000 n\n`).join('')));
  const cut = await loadCutter();
  const questions = TEXTS.flatMap((text) => text.split(/[\n，。]/));
  for (const text of [...questions, '微博彩蛋', '深度学习与机器学习'])
    expect(cut(text)).toEqual(whole.cutForSearch(text, true));
});

describe('a table of words', () => {
  test('knows the number of each word, and no other', () => {
    const table = readWordTable(idf);
    const weights = TfIdf.withDict(idf).extractKeywords(Jieba.withDict(dict), '劳动防护', 1);
    expect(table.numberOf('劳动防护')).toBe(weights[0]?.weight);
    expect(table.numberOf('劳动防')).toBeUndefined();
    expect(table.numberOf('')).toBeUndefined();
  });

  test('takes the last of several lines of a word, whatever stands behind the number', () => {
    const table = readWordTable(Buffer.from('甲 1 n\n乙 2\n甲 3 v'));
    expect([table.numberOf('甲'), table.numberOf('乙')]).toEqual([3, 2]);
    expect(table.numbers().sort()).toEqual(Float64Array.of(2, 3));
  });
});
