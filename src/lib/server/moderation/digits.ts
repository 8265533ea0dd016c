/** First code points of digits that have no compatibility form: circled, filled and counting ones. */
const RUNS: readonly (readonly [first: number, value: number, count: number])[] = [
  [0x24f5, 1, 9],
  [0x24ff, 0, 1],
  [0x2776, 1, 9],
  [0x2780, 1, 9],
  [0x278a, 1, 9],
  [0x3021, 1, 9],
  [0x1f10b, 0, 1],
  [0x1f10c, 0, 1],
];
const DECIMAL = /^\p{Nd}$/u;

/** Returns the ASCII digit of a digit of any script, circled or not; null for other characters. */
export function digitOf(character: string): string | null {
  const code = character.codePointAt(0) ?? 0;
  for (const [first, value, count] of RUNS) {
    if (code >= first && code < first + count) return String(value + code - first);
  }
  if (!DECIMAL.test(character)) return null;
  // Decimal digits are encoded in runs of ten, from zero.
  let before = 0;
  while (DECIMAL.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

const CHINESE = '〇一二三四五六七八九零壹贰叁肆伍陆柒捌玖';
const OTHER_CHINESE: Readonly<Record<string, string>> = {
  幺: '1',
  两: '2',
  拐: '7',
  洞: '0',
  勾: '9',
  参: '3',
};

/** Returns the ASCII digit of a Chinese digit, simplified; null for other characters. */
export function chineseDigitOf(character: string): string | null {
  const at = CHINESE.indexOf(character);
  return at >= 0 ? String(at % 10) : (OTHER_CHINESE[character] ?? null);
}
