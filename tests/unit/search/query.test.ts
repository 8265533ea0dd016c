import { describe, expect, test } from 'vitest';
import { looseMinimum, looseWords, parseKeywords } from '../../../src/lib/server/search/query.ts';

describe('keywords', () => {
  test('white space of any kind separates words, which are folded', () => {
    expect(parseKeywords('  ＪＶＭ\u3000内存\t\nGC ')).toEqual(['jvm', '内存', 'gc']);
  });

  test('a word counts once, however it is written', () => {
    expect(parseKeywords('JVM jvm ＪＶＭ')).toEqual(['jvm']);
  });

  test('the eleventh word and those after it are ignored', () => {
    expect(parseKeywords('a b c d e f g h i j k l')).toHaveLength(10);
  });

  test('blanks alone are no word', () => {
    expect(parseKeywords(' \u3000\n')).toEqual([]);
  });
});

describe('looser words', () => {
  const cutAt = (parts: string[]) => () => parts;

  test('are what the cut gives, without particles, stop words and signs, longest first', () => {
    expect(
      looseWords(['什么是线程池的hashmap？'], cutAt(['什么', '是', '线程', '池', '的', 'HashMap', '？'])),
    ).toEqual(['hashmap', '线程']);
  });

  test('are none when the cut says nothing new', () => {
    expect(looseWords(['线程'], cutAt(['线程']))).toEqual([]);
  });

  test.each(['锁', '%', '"', '->', '👍'])('are none for %j', (word) => {
    expect(looseWords([word], cutAt([word]))).toEqual([]);
  });

  test('are six at most', () => {
    expect(
      looseWords(['长'.repeat(20)], cutAt(['甲一', '乙二', '丙三', '丁四', '戊五', '己六', '庚七'])),
    ).toHaveLength(6);
  });

  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [6, 4],
  ])('of %i, an article must hold %i', (count, minimum) => {
    expect(looseMinimum(count)).toBe(minimum);
  });
});
