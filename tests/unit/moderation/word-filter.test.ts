import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ListedWord } from '../../../src/lib/contract/rules/moderation.ts';
import { createWordFilter, mask } from '../../../src/lib/server/moderation/word-filter.ts';
import { CORPUS, hasCorpus } from '../../engines/import-stage.ts';

const CHINESE =
  '赌博 裸体 代开发票 加微信 色情 毒品 枪支 法轮功 办证 刷单 贷款 六合彩 迷药 传销 私服 外挂 援交 一夜情 高利贷 兼职 博彩';
const LATIN = 'casino viagra porn sex ass cock weixin';
const listed = (words: string): ListedWord[] =>
  words.split(' ').map((word) => ({ word, category: '测试', action: 'hold' }));
const filter = createWordFilter([...listed(CHINESE), ...listed(LATIN)]);
const wordsIn = async (text: string) => (await filter.find(text)).map(({ word }) => word.word);

/** Ways to disguise a word from a plain search. */
const disguises: Record<string, (word: string) => string> = {
  'as it is': (word) => word,
  'in a sentence': (word) => `各位，${word}，看这里`,
  'spaces between': (word) => [...word].join(' '),
  'wide spaces between': (word) => [...word].join('　'),
  'dots between': (word) => [...word].join('.'),
  'stars between': (word) => [...word].join('*'),
  'marks of Markdown between': (word) => [...word].join('**'),
  'middle dots between': (word) => [...word].join('·'),
  'different signs between': (word) => [...word].map((c, at) => c + ('-_|/~+='[at % 7] ?? '')).join(''),
  'emoji between': (word) => [...word].join('❤️'),
  'zero-width characters between': (word) => [...word].join('\u200b'),
  'joiners between': (word) => [...word].join('\u2060\u200d'),
  'a soft hyphen between': (word) => [...word].join('\u00ad'),
  'marks above': (word) => [...word].map((c) => `${c}\u0336`).join(''),
  'variation selectors': (word) => [...word].map((c) => `${c}\ufe0f`).join(''),
  'directions turned around': (word) => [...word].join('\u202e\u202c'),
  'commas between': (word) => `看，${[...word].join('，')}，快来`,
  'brackets around each': (word) => [...word].map((c) => `【${c}】`).join(''),
  'a line each': (word) => [...word].join('\n'),
};
const TRADITIONAL =
  '賭博 裸體 代開發票 加微信 色情 毒品 槍支 法輪功 辦證 刷單 貸款 六合彩 迷藥 傳銷 私服 外掛 援交 一夜情 高利貸 兼職 博彩';
/** Spellings in other characters that read the same. */
const spellings: Record<string, [word: string, written: string[]]> = Object.fromEntries([
  ...CHINESE.split(' ').map((word, at) => [word, [word, [TRADITIONAL.split(' ')[at] ?? '']]]),
  [
    'casino',
    ['casino', ['ＣＡＳＩＮＯ', 'ℂ𝕒𝕤𝕚𝕟𝕠', 'cаsіnо', 'c.a.s.i.n.o', 'Ⓒⓐⓢⓘⓝⓞ', 'cásïnõ', 'c a s i n o']],
  ],
  [
    'viagra',
    ['viagra', ['VIAGRA', 'ｖｉａｇｒａ', 'vi-agra', '𝓿𝓲𝓪𝓰𝓻𝓪', 'v\u200bi\u200ba\u200bgra', 'vіаgrа']],
  ],
  ['porn', ['porn', ['p.o.r.n', 'Pörn', 'роrn', '⒫⒪⒭⒩', 'p o r n', 'PORN站']]],
  ['weixin', ['weixin', ['ＷｅｉＸｉｎ', 'wei-xin', '加weixin聊', 'w/e/i/x/i/n']]],
]) as Record<string, [string, string[]]>;

/** Enclosed letters A to Z that NFKD does not decompose. */
const enclosed = (first: number) => (word: string) =>
  [...word].map((c) => String.fromCodePoint(first + c.charCodeAt(0) - 0x61)).join('');
const DIGITS: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0' };
const leet = (word: string) => word.replace(/[aeio]/g, (letter) => DIGITS[letter] ?? letter);
for (const word of LATIN.split(' ').filter((each) => each.length > 3)) {
  const written = [0x1f150, 0x1f170, 0x1f1e6].map((first) => enclosed(first)(word));
  spellings[`${word}, enclosed`] = [word, [...written, `${word}🅰`, `🅱${word}`, `${word}🇨🇳`]];
  spellings[`${word}, with digits`] = [word, [leet(word), leet(word).toUpperCase(), `看${leet(word)}吧`]];
}
spellings['turned around'] = [
  '赌博',
  ['\u202e博赌\u202c', '看\u202e，博赌里这\u202c吧', '赌\u202e博', '\u202e址网博赌'],
];
spellings['turned Latin'] = ['casino', ['\u202eonisac\u202c', 'go \u202eonisac won']];

const evasions = [
  ...CHINESE.split(' ').flatMap((word) =>
    Object.entries(disguises).map(([name, disguise]) => [word, name, disguise(word)] as const),
  ),
  ...Object.values(spellings).flatMap(([word, written]) =>
    written.map((text) => [word, 'other characters', text] as const),
  ),
];
const innocent = readFileSync(new URL('../../fixtures/moderation/innocent.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

describe('listed words', () => {
  test('are found despite disguises', async () => {
    expect(evasions.length).toBeGreaterThanOrEqual(200);
    const missed: string[] = [];
    for (const [word, name, text] of evasions)
      if (!(await wordsIn(text)).includes(word)) missed.push(`${word}, ${name}: ${text}`);
    expect(missed).toEqual([]);
  });

  test('are not found across other words', async () => {
    expect(innocent.length).toBeGreaterThanOrEqual(200);
    const wrong: string[] = [];
    for (const text of innocent) {
      const found = await wordsIn(text);
      if (found.length > 0) wrong.push(`${text}: ${found.join(' ')}`);
    }
    expect(wrong).toEqual([]);
  });

  test.skipIf(!hasCorpus)('are not found disguised in the corpus', async () => {
    const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.md'));
    const found: string[] = [];
    for (const file of files) {
      const text = readFileSync(join(CORPUS, file), 'utf8');
      for (const { word, start, end } of await filter.find(text))
        if (text.slice(start, end).toLowerCase() !== word.word)
          found.push(`${file}: ${word.word} in ${text.slice(start - 8, end + 8).replaceAll('\n', '⏎')}`);
    }
    expect(found).toEqual([]);
  });

  test('are plain text, not patterns', async () => {
    const odd = createWordFilter([...listed('.* [a-z]+ (.) ^$ \\d')]);
    expect(await odd.find('abc 123 任何文字')).toEqual([]);
    const named = createWordFilter(listed('a.*b'));
    expect((await named.find('它叫 a.*b')).length).toBe(1);
    expect(await named.find('axxxb')).toEqual([]);
  });

  test('are masked character by character, without characters in between', async () => {
    const text = '别去赌*博，也别加 微 信。';
    expect(mask(text, await filter.find(text))).toBe('别去＊*＊，也别＊ ＊ ＊。');
  });

  test('of two equal words the stricter applies', async () => {
    const both = createWordFilter([
      { word: '赌博', category: '甲', action: 'mask' },
      { word: '賭博', category: '乙', action: 'reject' },
    ]);
    expect((await both.find('赌博')).map(({ word }) => word.action)).toEqual(['reject']);
  });

  test('none, an empty text and half a character are nothing special', async () => {
    expect(await createWordFilter([]).find('赌博')).toEqual([]);
    for (const text of ['', '\ud83d', '\u200b\u200b', '。。。']) expect(await filter.find(text)).toEqual([]);
  });
});
