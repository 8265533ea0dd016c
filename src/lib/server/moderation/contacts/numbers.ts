/** Digits that signs, spaces or single line breaks may separate, and what is no number of a person. */
const RUN = /\d(?:[^\p{L}\p{N}\n]{0,3}(?:\n[^\p{L}\p{N}\n]{0,3})?\d)+/gu;
const DATE = /(?<!\d)(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)/g;
const TIME = /(?<!\d)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?!\d)/g;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ADDRESS = new RegExp(`(?<![\\d.])${OCTET}(?:\\.${OCTET}){3}(?:[:/]\\d{1,5})?(?![\\d.])`, 'g');
const VERSION = /(?<![\d.])(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){1,3}(?![\d.])/g;
const MONEY = /(?<![\d,])\d{1,3}(?:,\d{3}){1,2}(?:\.\d{1,2})?(?![\d,])/g;
const FORMATS = [DATE, TIME, ADDRESS, VERSION, MONEY];

const MOBILE = /^(?:86|0086)?1[3-9]\d{9}$/;
const SERVICE = /^[48]00\d{7}$/;
const LANDLINE = /^0[1-9]\d{8,10}$/;
const MIN_SPELT = 8;
const MAX_DIGITS = 15;
const MAX_MIXED_GROUPS = 4;

/**
 * Numbers by which a person can be reached: telephone numbers however their digits are separated, and plain
 * numbers of five or more digits. Excludes dates, times, versions, addresses of machines and amounts.
 * @param plain a folded text
 * @param digits the text with all digits in ASCII (`foldDigits`)
 */
export function* numbersIn(plain: string, digits: string): Generator<string> {
  for (const [number] of plain.matchAll(/\d{5,}/g)) yield number;
  const text = FORMATS.reduce((part, format) => part.replace(format, 'x'), digits);
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const groups = run.match(/\d+/g) ?? [];
    const hasStop = /[,;:!?、。]/.test(run);
    const isForeign = text[index - 1] === '+';
    yield* telephonesIn(groups, { hasStop, isForeign });
    yield* speltIn(groups, hasStop);
  }
}

/** Telephone numbers that begin at one group and end at another. */
function* telephonesIn(
  groups: readonly string[],
  { hasStop, isForeign }: { hasStop: boolean; isForeign: boolean },
): Generator<string> {
  for (let from = 0; from < groups.length; from += 1) {
    let number = '';
    for (let to = from; to < groups.length && number.length < MAX_DIGITS; to += 1) {
      number += groups[to] ?? '';
      if (number.length < 10 || number.length > MAX_DIGITS) continue;
      if (!isEven(groups.slice(from, to + 1), hasStop)) continue;
      const isNamed = MOBILE.test(number) || SERVICE.test(number) || LANDLINE.test(number);
      if (isNamed || (isForeign && from === 0 && to === groups.length - 1))
        yield number.replace(/^(?:00)?86(?=1)/, '');
    }
  }
}

/** Whether groups look like one number: a few, or digits one by one, or parts of two or more digits. */
function isEven(groups: readonly string[], hasStop: boolean): boolean {
  if (groups.every(({ length }) => length === 1)) return true;
  if (hasStop) return groups.length === 1;
  return groups.length <= MAX_MIXED_GROUPS || groups.slice(0, -1).every(({ length }) => length > 1);
}

/** Digits that are written one by one, unless they count up or down, or are bits. */
function* speltIn(groups: readonly string[], hasStop: boolean): Generator<string> {
  if (hasStop) return;
  let chain = '';
  for (const group of [...groups, '']) {
    if (group.length === 1) {
      chain += group;
      continue;
    }
    if (chain.length >= MIN_SPELT && !isCounting(chain)) yield chain;
    chain = '';
  }
}

const isCounting = (chain: string): boolean => {
  const steps = Array.from(chain.slice(1), (digit, at) => Number(digit) - Number(chain[at]));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0) || /^[01]+$/.test(chain);
};

/** Numbers of seven or more Chinese digits, unless they count. */
export function* chineseNumbersIn(folded: string, digits: string): Generator<string> {
  const isChinese = (at: number) => folded[at] !== digits[at];
  for (const { 0: run, index } of digits.matchAll(/\d{7,}/g)) {
    if (!Array.from(run).every((_, at) => isChinese(index + at)) || isCounting(run)) continue;
    yield run;
  }
}
