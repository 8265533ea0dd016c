import { describe, expect, test } from 'vitest';
import { fold, foldForm, foldWithMap } from '../../../../src/lib/server/search/text/fold.ts';
import { simplifiedCharacters } from '../../../../src/lib/server/text/simplified.ts';

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

  test.each([
    ['軟體開發，资料庫', '软体开发,资料库'],
    ['頭髮與發現', '头发与发现'],
    ['臺灣台湾裡裏著', '台湾台湾里里着'],
    ['薴苧', '苎苎'],
    ['㗲𠁞', '𠵾𠀾'],
    ['乾隆皇帝的後宮', '干隆皇帝的后宫'],
  ])('%s is compared in simplified characters, as %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
    expect(fold(folded)).toBe(folded);
    const { text: mapped, originalRange } = foldWithMap(text);
    expect(text.slice(...originalRange(0, mapped.length))).toBe(text);
  });

  test('every part of a text in traditional characters folds to a part of its fold', () => {
    const characters = ['㗲', '軟', 'a', '體', '𠁞', '發', 'e\u0301', '髮', 'ﬁ', '線'];
    const whole = fold(characters.join(''));
    for (let from = 0; from < characters.length; from += 1)
      expect(whole).toContain(fold(characters.slice(from, from + 3).join('')));
  });

  test('every character folds as NFKC, lower case and its simplified form say', () => {
    const simplified = simplifiedCharacters();
    const different: string[] = [];
    for (let code = 0x20; code <= 0x2ffff; code += 1) {
      if ((code >= 0xd800 && code <= 0xdfff) || (code >= 0x7f && code <= 0x9f)) continue;
      const character = String.fromCodePoint(code);
      const plain = character.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
      const expected = Array.from(plain, (each) => simplified.get(each) ?? each).join('');
      if (fold(character) !== expected) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});

test('the form of a text keeps its characters', () => {
  expect(foldForm('ＪＶＭ軟體')).toBe('jvm軟體');
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
