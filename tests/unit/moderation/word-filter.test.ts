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
const wordsIn = (text: string) => filter.find(text).map(({ word }) => word.word);

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
const linesOf = (name: string) =>
  readFileSync(new URL(`../../fixtures/moderation/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
const innocent = linesOf('innocent');
/** Harmless sentences with the letters of a listed word next to each other. */
const inside = linesOf('inside');

describe('listed words', () => {
  test('are found despite disguises', () => {
    expect(evasions.length).toBeGreaterThanOrEqual(200);
    const missed: string[] = [];
    for (const [word, name, text] of evasions)
      if (!wordsIn(text).includes(word)) missed.push(`${word}, ${name}: ${text}`);
    expect(missed).toEqual([]);
  });

  test('are not found across stops, in Latin words, and where letters are missing', () => {
    expect(innocent.length + inside.length).toBeGreaterThanOrEqual(200);
    const wrong: string[] = [];
    for (const text of innocent) {
      const found = wordsIn(text);
      if (found.length > 0) wrong.push(`${text}: ${found.join(' ')}`);
    }
    expect(wrong).toEqual([]);
  });

  test('are found by their letters, whatever stands before and after them', () => {
    const around = [...'消牌刷位微蛋信项走海门品的一', '', '。', ' ', 'a', '9', '\n'];
    const missed: string[] = [];
    for (const word of CHINESE.split(' '))
      for (const before of around)
        for (const after of around)
          if (!wordsIn(`${before}${word}${after}`).includes(word)) missed.push(before + word + after);
    expect(missed).toEqual([]);
    expect(inside.filter((line) => wordsIn(line).length === 0)).toEqual([]);
  });

  test.skipIf(!hasCorpus)('are not found disguised in the corpus', () => {
    const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.md'));
    const found: string[] = [];
    for (const file of files) {
      const text = readFileSync(join(CORPUS, file), 'utf8');
      for (const { word, start, end } of filter.find(text))
        if (text.slice(start, end).toLowerCase() !== word.word)
          found.push(`${file}: ${word.word} in ${text.slice(start - 8, end + 8).replaceAll('\n', '⏎')}`);
    }
    expect(found).toEqual([]);
  });

  test('are plain text, not patterns', () => {
    const odd = createWordFilter([...listed('.* [a-z]+ (.) ^$ \\d')]);
    expect(odd.find('abc 123 任何文字')).toEqual([]);
    const named = createWordFilter(listed('a.*b'));
    expect(named.find('它叫 a.*b').length).toBe(1);
    expect(named.find('axxxb')).toEqual([]);
  });

  test('are masked character by character, without characters in between', () => {
    const text = '别去赌*博，也别加 微 信。';
    expect(mask(text, filter.find(text))).toBe('别去＊*＊，也别＊ ＊ ＊。');
  });

  test('of two equal words the stricter applies', () => {
    const both = createWordFilter([
      { word: '赌博', category: '甲', action: 'mask' },
      { word: '賭博', category: '乙', action: 'reject' },
    ]);
    expect(both.find('赌博').map(({ word }) => word.action)).toEqual(['reject']);
  });

  test('none, an empty text and half a character are nothing special', () => {
    expect(createWordFilter([]).find('赌博')).toEqual([]);
    for (const text of ['', '\ud83d', '\u200b\u200b', '。。。']) expect(filter.find(text)).toEqual([]);
  });
});

describe('an exception', () => {
  const except = (words: string) =>
    words.split(' ').map((word) => ({ word, category: '', action: 'except' as const }));
  const found = (text: string, words: string, exceptions: string) =>
    createWordFilter([...listed(words), ...except(exceptions)])
      .find(text)
      .map(({ start, end }) => text.slice(start, end));

  test('hides the word inside it, and only there', () => {
    expect(found('法轮机有法轮，也有法轮机', '法轮', '法轮机')).toEqual(['法轮']);
    expect(found('消毒品牌和毒品', '毒品', '消毒品 毒品牌')).toEqual(['毒品']);
    expect(found('毒品', '毒品', '毒品')).toEqual(['毒品']);
  });

  test('covers each harmless sentence once its letters are listed with their neighbours', () => {
    for (const line of inside) {
      const [first] = filter.find(line);
      const { start = 0, end = 0 } = first ?? {};
      const around = line.slice(Math.max(0, start - 1), end + 1).replaceAll(/[，。！？\s]/g, '');
      const exceptions = [{ word: around, category: '', action: 'except' as const }];
      const lenient = createWordFilter([...listed(CHINESE), ...exceptions]);
      expect([line, lenient.find(line)]).toEqual([line, []]);
    }
  });

  test('is compared like a word: width, case and traditional characters', () => {
    expect(found('消毒品牌、ＪＵＮＫ ｍａｉｌ', '毒品 junk', '消毒品牌 junk.mail')).toEqual(['ＪＵＮＫ']);
    expect(found('ＪＵＮＫ－ｍａｉｌ', 'junk', 'junk-mail')).toEqual(['ＪＵＮＫ']);
    expect(found('法輪機', '法轮', '法轮机')).toEqual([]);
    expect(found('法轮机', '法輪', '法輪機')).toEqual([]);
  });

  test.each([
    ['a space', '法轮 机会'],
    ['a sign', '法轮*机'],
    ['a comma', '法轮，机会来了'],
    ['a line', '法轮\n机会'],
    ['a paragraph', '法轮\n\n机会'],
  ])('does not hide a word that %s separates from the rest of it', (_, text) => {
    expect(found(text, '法轮', '法轮机')).toEqual(['法轮']);
  });

  test('hides a word that is separated as the exception is', () => {
    expect(found('消毒 品牌', '毒品', '消毒品牌')).toEqual([]);
    expect(found('消*毒*品*牌', '毒品', '消毒品牌')).toEqual([]);
    expect(found('消 毒*品 牌', '毒品', '消毒品牌')).toEqual(['毒*品']);
  });

  test('of the same letters as a word loses to it', () => {
    for (const words of [
      [...listed('法轮'), ...except('法輪')],
      [...except('法轮'), ...listed('法輪')],
    ])
      expect(createWordFilter(words).find('法轮').length).toBe(1);
  });

  test('hides words written with digits or turned around too', () => {
    expect(found('看c0nt4ct吧', 'contact', 'c0nt4ct')).toEqual([]);
    expect(found('\u202e机轮法\u202c', '法轮', '法轮机')).toEqual([]);
  });

  test('is found in the longest texts with 10,000 words and exceptions', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `消${index}毒品${index}牌`);
    const words = many.map((_, index) => ({ word: `毒品${index}`, category: '', action: 'hold' as const }));
    const large = createWordFilter([...words, ...except(many.join(' '))]);
    const text = many.concat(many).join('');
    expect(large.find(text)).toEqual([]);
    expect(large.find(`${text}。毒品7吧`).map(({ word }) => word.word)).toEqual(['毒品7']);
  });
});
