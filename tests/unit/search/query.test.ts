import { describe, expect, test } from 'vitest';
import { looseMinimum, looseWords, parseKeywords, termsOf } from '../../../src/lib/server/search/query.ts';

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

  test('white space alone is no word', () => {
    expect(parseKeywords(' \u3000\n')).toEqual([]);
  });
});

describe('the subject of a query', () => {
  const cut = (text: string) => text.split('|');
  const termsIn = (...words: string[]) => termsOf(words, cut);

  test('particles, question words and signs say nothing, words of many titles little', () => {
    expect(termsIn('如何|配置|线程|的|原理|？').map(({ text }) => text)).toEqual(['配置', '线程', '原理']);
    const [subject, kind] = termsIn('线程|原理');
    expect(kind?.weight).toBeLessThan((subject?.weight ?? 0) / 2);
  });

  test('a single character belongs to the preceding word, not to a particle', () => {
    expect(termsIn('线程|池|参数').map(({ text, base }) => [text, base])).toEqual([
      ['线程池', '线程'],
      ['参数', '参数'],
    ]);
    expect(termsIn('锁|的|堆').map(({ text }) => text)).toEqual(['锁', '堆']);
  });

  test.each([
    ['hashmap扩容', ['hashmap', '扩容']],
    ['c++', ['c++']],
    ['node.js', ['node', 'js']],
    ['gpt-4', ['gpt-4']],
    ['stream.iterate', ['stream', 'iterate']],
    ['->', ['->']],
    ['什么', ['什么']],
  ])('%j is about %j', (word, terms) => {
    expect(termsIn(word).map(({ text }) => text)).toEqual(terms);
  });

  test('a number after a name is part of it', () => {
    expect(termsIn('java8')).toMatchObject([{ text: 'java8', base: 'java' }]);
  });
});

describe('looser words', () => {
  const looseIn = (word: string, parts: string[]) =>
    looseWords(
      [word],
      termsOf([word], () => parts),
    );

  test('are none when shortening adds nothing', () => {
    expect(looseIn('线程', ['线程'])).toEqual([]);
  });

  test('are the subject of the query', () => {
    expect(looseIn('线程池参数怎么设置', ['线程', '池', '参数', '怎么', '设置'])).toEqual(['线程', '参数']);
  });

  test.each(['锁', '%', '"', '->', '👍'])('are none for %j', (word) => {
    expect(looseIn(word, [word])).toEqual([]);
  });

  test('are six at most', () => {
    expect(looseIn('长'.repeat(20), ['甲一', '乙二', '丙三', '丁四', '戊五', '己六', '庚七'])).toHaveLength(
      6,
    );
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
