import { describe, expect, test } from 'vitest';
import { skeletonsOf } from '../../../src/lib/server/users/skeletons.ts';

function areConfusable(one: string, other: string): boolean {
  const [a, b] = [skeletonsOf(one), skeletonsOf(other)];
  return [a.folded, a.written].some((skeleton) => skeleton === b.folded || skeleton === b.written);
}

describe('names look alike', () => {
  test.each([
    ['alice', 'аlice', 'Cyrillic а'],
    ['alice', 'ALΙCE', 'Greek Ι among capitals'],
    ['BOBA', 'ВОВА', 'Cyrillic capitals'],
    ['paypal', 'paypaI', 'capital I for l'],
    ['paypal', 'paypa1', 'the digit 1 for l'],
    ['BOB', 'b0b', 'the digit 0 for O'],
    ['modern', 'rnodern', 'rn for m'],
    ['alice', 'alice\ufe0f', 'a variation selector'],
    ['alice', 'ali\u034fce', 'a grapheme joiner'],
    ['wei', 'шei', 'Cyrillic ш, since Unicode 14'],
    ['口罩', 'ロ罩', 'Katakana ロ'],
    ['一一', 'ーー', 'the Katakana prolonged sound mark'],
    ['工人', 'エ人', 'Katakana エ'],
    ['土木', '士木', '土 and 士, which Unicode takes for alike'],
    ['站長', '站长', 'a traditional character'],
    ['站⻑', '站长', 'a radical'],
    ['裡面', '里面', 'a form of Taiwan'],
    ['陳曉', '陈晓', 'a name in both scripts'],
    ['发', '髮', 'a character that was simplified'],
    ['café', 'cafе\u0301', 'a mark on a Cyrillic letter'],
  ])('%s and %s: %s', (one, other) => {
    expect(areConfusable(one, other)).toBe(true);
  });

  test.each([
    ['己', '已'],
    ['已', '巳'],
    ['未', '末'],
    ['日', '曰'],
    ['人', '入'],
    ['千', '干'],
    ['戊', '戌'],
    ['大', '太'],
    ['王维', '王惟'],
    ['alice', 'alicia'],
    ['e', 'é'],
    ['user1', 'user2'],
  ])('but not %s and %s', (one, other) => {
    expect(areConfusable(one, other)).toBe(false);
  });

  /** GB 2312 contains the 6,763 characters used in Chinese names. */
  test('few pairs of GB 2312 characters do', () => {
    const decoder = new TextDecoder('gbk');
    const characters = new Map<string, string[]>();
    for (let row = 0xb0; row <= 0xf7; row++) {
      for (let cell = 0xa1; cell <= 0xfe; cell++) {
        const character = decoder.decode(Uint8Array.of(row, cell));
        if (!/^\p{Script=Han}$/u.test(character)) continue;
        const { folded } = skeletonsOf(character);
        characters.set(folded, [...(characters.get(folded) ?? []), character]);
      }
    }
    expect([...characters.values()].flat()).toHaveLength(6763);
    const alike = [...characters.values()].filter((group) => group.length > 1).map((group) => group.join(''));
    // Forms of one character in both scripts, which GB 2312 contains both.
    const written = '么麽 于於 伙夥 后後 吒咤 夹袷 干乾 征徵 折摺 拼拚 挨捱 曲麴 烟菸 矩榘 糖醣 苔薹'.split(
      ' ',
    );
    expect(alike.sort()).toEqual([...written, '口囗', '士土', '鹃鹂'].sort());
  });
});
