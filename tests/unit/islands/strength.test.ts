import { describe, expect, test } from 'vitest';
import { judgeStrength } from '../../../src/islands/sign/strength.ts';

const judge = (password: string, username = '') => judgeStrength(password, username);

describe('the hint at a new password', () => {
  test.each([
    ['password1', '', /常见/],
    ['qwertyuiop', '', /常见/],
    ['aaaaaaaa', '', /重复/],
    ['19900101', '', /日期/],
    ['abcdefgh', '', /顺序/],
    ['linjian123', 'linjian', /用户名/],
    ['林间的风林间的风', '林间的风', /用户名/],
  ])('%s is weak, and the sentence says why', (password, username, why) => {
    const { level, word, advice } = judge(password, username);
    expect(level).toBeLessThan(2);
    expect(word).toMatch(/^(很|较)弱$/);
    expect(advice).toMatch(why);
  });

  test.each([
    '12345678',
    '１２３４５６７８',
    'password',
    '88888888',
    '87654321',
    'abcabcabc',
    '墨页墨页墨页墨页',
  ])('%s is refused, and the sentence asks for another one', (password) => {
    const { level, advice } = judge(password);
    expect([level, advice]).toEqual([0, expect.stringMatching(/，请换一个$/)]);
  });

  test('unrelated words are strong', () => {
    expect(judge('vexing 砚台 harbour 晚稻 7')).toEqual({ level: 4, word: '很强', advice: '很难被猜到' });
  });

  test('every level has a word and a Chinese sentence, for any input', () => {
    for (const password of ['', 'a', '😀😀', 'P@ssw0rd2024!', '床前明月光', 'x'.repeat(10_000), '\u0000']) {
      const { word, advice } = judge(password);
      expect(word).not.toBe('');
      expect(advice).toMatch(/\p{Script=Han}/u);
    }
  });
});
