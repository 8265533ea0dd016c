import { describe, expect, test } from 'vitest';
import { piecesOf } from '../../../src/islands/admin/words/pieces.ts';
import { readWordFile, toWordFile } from '../../../src/lib/server/moderation/word-file.ts';

const DEFAULTS = { action: 'hold', category: '默认' } as const;
const read = (text: string) => readWordFile(text, DEFAULTS);
const wordsOf = (text: string) =>
  read(text).words.map(({ word, action, category }) => [word, action, category]);

describe('a file of words', () => {
  test('has one word per line, with an optional action and category', () => {
    const text = '\uFEFF赌博\r\n\r\n代购\t先审后发\t广告\r\n博彩,reject\n枪支，拒绝发布，违禁\r笨蛋\tMASK\n';
    expect(wordsOf(text)).toEqual([
      ['赌博', 'hold', '默认'],
      ['代购', 'hold', '广告'],
      ['博彩', 'reject', '默认'],
      ['枪支', 'reject', '违禁'],
      ['笨蛋', 'mask', '默认'],
    ]);
    expect(read(text).problems).toEqual([]);
  });

  test('with bad lines yields the rest; each bad line is named by its number', () => {
    const text = [
      '好词',
      '长'.repeat(51),
      '',
      '。。。',
      '代购,遮住',
      `代开\t遮盖\t${'类'.repeat(21)}`,
      'a,hold,b,c',
      '\ud800',
      '再一个',
    ].join('\n');
    const { words, problems } = read(text);
    expect(words.map(({ word }) => word)).toEqual(['好词', '再一个']);
    expect(problems.map(({ line, problem }) => [line, problem])).toEqual([
      [2, '词语不能超过 50 个字符'],
      [4, '没有文字，无法查找'],
      [5, '第二列应为处理方式：拒绝发布、先审后发、遮盖、例外'],
      [6, '分类不能超过 20 个字符'],
      [7, '最多三列：词语、处理方式、分类'],
      [8, '词语含有无法保存的字符'],
    ]);
    expect(problems[1]?.text).toBe('。。。');
    expect(problems[0]?.text.length).toBeLessThan(100);
  });

  test('lists equal words once, as their last line says', () => {
    expect(wordsOf('赌博\n賭 博\t遮盖')).toEqual([['賭 博', 'mask', '默认']]);
  });

  test('is written as it is read, whatever the words contain', () => {
    const words = [
      { word: '加,微信', action: 'reject', category: '广告，引流' },
      { word: 'a b', action: 'mask', category: '' },
      { word: '[a-z]+', action: 'hold', category: 'x' },
    ] as const;
    const text = toWordFile(words);
    expect(text).toBe('加,微信\t拒绝发布\t广告，引流\na b\t遮盖\n[a-z]+\t先审后发\tx\n');
    expect(readWordFile(text, { action: 'hold', category: '' })).toMatchObject({ words, problems: [] });
    expect([toWordFile([]), read('\n \n').words]).toEqual(['', []]);
  });

  test('of 50,000 words is read whole', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `词${index}`).join('\n');
    expect(read(text).words).toHaveLength(50_000);
  });
});

describe('found words in a text', () => {
  test('cut it into pieces that together are the text', () => {
    const text = '不要赌博，去代购';
    const pieces = piecesOf(text, [
      { start: 6, end: 8 },
      { start: 2, end: 4 },
      { start: 3, end: 5 },
    ]);
    expect(pieces.map(({ text, isFound }) => [text, isFound])).toEqual([
      ['不要', false],
      ['赌博', true],
      ['，', true],
      ['去', false],
      ['代购', true],
    ]);
    expect(pieces.map(({ text }) => text).join('')).toBe(text);
    expect(piecesOf(text, [])).toEqual([{ start: 0, text, isFound: false }]);
    expect(piecesOf('', [])).toEqual([]);
  });
});
