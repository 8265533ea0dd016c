import type { Sample } from './search-fixture.ts';

const PIECES = [
  ...'线程锁内存模型安全池化',
  ...'abcABCxyz019',
  ...'ＪＶＭａ１＋，。：ﬁ㎏Å…ß',
  ...'+-*/%"\'<>()[]{}^:;,.!?#$&@\\|~`_=',
  ...'ёжΣςéñ',
  ...'線鎖發髮发㗲𠵾𠁞',
  '的',
  'e\u0301',
  'か\u3099',
  'ｶﾞ',
  '각',
  '👩‍👩‍👧',
  '👍🏽',
  '🇨🇳',
  '❤️',
  '\u00a8',
  'java',
  'HashMap',
  '->',
  ' ',
  ' ',
  '\n',
  '\u3000',
  '\t',
];

/**
 * Generator of random texts and words, from characters that fold, combine, join or have a meaning in an
 * engine's syntax.
 */
export function writerFrom(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const write = (most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(PIECES)).join('');
  return {
    pick,
    write,
    sample: (): Sample => ({ title: write(6), tags: [write(3), write(3)], text: write(60) }),
    /** A word that a reader could type; mostly a part of one of `samples`, so there are hits. */
    wordOf(samples: readonly Sample[], longest = 6): string {
      if (random() < 0.3) return write(3);
      const { title, tags = [], text = '' } = pick(samples);
      const characters = Array.from(pick([title, pick(tags), text, text, text]));
      const start = Math.floor(random() * characters.length);
      return characters.slice(start, start + 1 + Math.floor(random() * longest)).join('');
    },
  };
}
