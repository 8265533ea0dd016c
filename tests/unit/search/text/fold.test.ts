import { describe, expect, test } from 'vitest';
import { fold, foldWithMap } from '../../../../src/lib/server/search/text/fold.ts';

describe('fold', () => {
  test.each([
    ['ＪＶＭ', 'jvm'],
    ['HashMap', 'hashmap'],
    ['，。！？', ',。!?'],
    ['ﬁnal', 'final'],
    ['㎏', 'kg'],
    ['…', '...'],
    ['ｶﾞ', 'ガ'],
    ['e\u0301', '\u00e9'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İ', 'i\u0307'],
    ['각', '각'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['𐐀', '𐐨'],
    ['a\0b\u0007c\nd', 'a b c\nd'],
    ['a\ud800b', 'a\ufffdb'],
    ['', ''],
  ])('%j is compared as %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  test('every character folds as NFKC and lower case say', () => {
    const different: string[] = [];
    for (let code = 0x20; code <= 0x2ffff; code += 1) {
      if ((code >= 0xd800 && code <= 0xdfff) || (code >= 0x7f && code <= 0x9f)) continue;
      const character = String.fromCodePoint(code);
      const expected = character.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
      if (fold(character) !== expected) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});

describe('mapping back to the original', () => {
  test.each([
    ['学习ＪＶＭ内存', 'jvm', 'ＪＶＭ'],
    ['一ﬁ二', 'i', 'ﬁ'],
    ['一ﬁ二', '二', '二'],
    ['……线程', '线程', '线程'],
    ['a…b', '..b', '…b'],
    ['cafe\u0301 noir', '\u00e9', 'e\u0301'],
    ['cafe\u0301 noir', 'noir', 'noir'],
    ['ﷺ尾', '尾', '尾'],
    ['👍🏽ｶﾞ末', '末', '末'],
    ['ｶﾞ末', 'ガ', 'ｶﾞ'],
  ])('in %j, %j comes from %j', (text, part, original) => {
    const folded = foldWithMap(text);
    const at = folded.text.indexOf(part);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(text.slice(...folded.originalRange(at, at + part.length))).toBe(original);
  });

  test('the whole text maps to the whole text', () => {
    const text = 'Åﬃ線程e\u0301\u0323…ＡＢ각🇨🇳';
    expect(foldWithMap(text).originalRange(0, fold(text).length)).toEqual([0, text.length]);
  });
});
