import { describe, expect, test } from 'vitest';
import { matchAll, matchSome } from '../../../../src/lib/server/search/sqlite/fts5.ts';
import { labelOf, phraseOf, tokenize } from '../../../../src/lib/server/search/text/tokens.ts';

const positions = (text: string) =>
  tokenize(text)
    .split(' ')
    .filter((token) => !token.startsWith('｟'));
const units = (text: string) =>
  tokenize(text)
    .split(' ')
    .filter((token) => token.startsWith('｟'))
    .sort();

describe('tokens of a text', () => {
  test('Chinese gives pairs, and never across white space', () => {
    expect(positions('线程池 安全\n锁')).toEqual(['线程', '程池', '池', '安全', '全', '锁']);
  });

  test('small alphabets give four characters, mixed with what stands beside them', () => {
    expect(positions('jvm内存')).toEqual(['jvm内', 'vm内存', 'm内存', '内存', '存']);
    expect(positions('用c++')).toEqual(['用c＋＋', 'c＋＋', '＋＋', '＋']);
  });

  test('every character is a unit once, and so is every pair that is no token', () => {
    expect(units('内存内')).toEqual(['｟存', '｟内'].sort());
    expect(units('go')).toEqual(['｟g', '｟go', '｟o'].sort());
  });

  test('an emoji is never cut into surrogates', () => {
    expect(tokenize('a👍🏽b').isWellFormed()).toBe(true);
  });
});

/** Whether the tokens of the text contain the phrase, as an engine would decide. */
function holds(text: string, word: string): boolean {
  const { tokens, isPrefix } = phraseOf(word);
  const all = tokenize(text).split(' ');
  const last = tokens.length - 1;
  return all.some((_, start) =>
    tokens.every((token, index) => {
      const found = all[start + index] ?? '';
      return isPrefix && index === last ? found.startsWith(token) : found === token;
    }),
  );
}

describe('phrases', () => {
  const text = 'concurrenthashmap的1.8版本->c++<t>、a锁ab是什么 线程 安全👩‍👩‍👧x&&y|| é%';

  test('every part of a text is found in it', () => {
    for (const run of text.split(' ')) {
      const characters = Array.from(run);
      for (let start = 0; start < characters.length; start += 1) {
        for (let end = start + 1; end <= characters.length; end += 1) {
          const word = characters.slice(start, end).join('');
          expect(holds(text, word), word).toBe(true);
        }
      }
    }
  });

  test.each(['线程安全', 'mapp', 'ashmaa', '1.9', 'c+++', 'b锁', '么线', '什么线', '👩‍👦', '>>'])(
    '%j is not',
    (word) => {
      expect(text.includes(word)).toBe(false);
      expect(holds(text, word)).toBe(false);
    },
  );
});

describe('FTS5 queries', () => {
  test('have user input only inside quotes, for every ASCII sign', () => {
    for (let code = 0x21; code < 0x7f; code += 1) {
      const sign = String.fromCharCode(code).toLowerCase();
      for (const word of [sign, sign + sign, `${sign}线${sign}`, `near(${sign}`]) {
        expect(matchAll('whole', { words: [word], labels: [] }), word).toMatch(
          /^\("[^!-/:-@[-`{-~]+"(?: \*)?\)$/,
        );
      }
    }
  });

  test('some of the words means every combination of that size', () => {
    expect(matchSome('titles', { words: ['线程', '内存', '缓存'], labels: [] }, 2)).toBe(
      '{title} : (("线程" AND "内存") OR ("线程" AND "缓存") OR ("内存" AND "缓存"))',
    );
  });

  test('a label is one token, whatever the name', () => {
    const label = labelOf('author', '王 "x" or*');
    expect(matchAll('whole', { words: [], labels: [label] })).toMatch(/^"[^\s!-/:-@[-`{-~]+"$/);
    expect(tokenize(`author王 "x" or*`).split(' ')).not.toContain(label);
  });
});
