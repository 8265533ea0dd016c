/** Random numbers that depend only on the seed: a site can be generated again, in any order and in pieces. */
export interface Dice {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number;
  /** Returns an integer from 0 to `count` - 1, small ones more often: a power law with `skew` > 1. */
  skewed(count: number, skew: number): number;
  isOne(inAll: number): boolean;
}

/** Creates the dice of item `index` of a site (Mulberry32). */
export function diceOf(seed: number, index: number): Dice {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35)) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (count) => Math.floor(next() * count),
    skewed: (count, skew) => Math.floor(next() ** skew * count),
    isOne: (inAll) => next() * inAll < 1,
  };
}

/** Returns an id of 24 hexadecimal digits that sorts by `time` (milliseconds), then by `number`. */
export const idAt = (time: number, number: number): string =>
  Math.floor(time / 1000)
    .toString(16)
    .padStart(8, '0') + number.toString(16).padStart(16, '0');
