/** Part of a text; offsets are UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

/** Returns a function from offsets of a text to lines, from 0. */
export function createLines(text: string): (offset: number) => number {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => countBefore(breaks, offset);
}

const MAX_SHOWN_LINES = 10;

/** Writes numbers of lines for a report. */
export function showLines(lines: readonly number[]): string {
  const more = lines.length > MAX_SHOWN_LINES ? ` 等 ${lines.length}` : '';
  return `第 ${lines.slice(0, MAX_SHOWN_LINES).join('、')}${more} 行`;
}

/** Joins ranges that touch or overlap. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Returns whether an offset is in one of the ranges, which may overlap. */
export function createRangeTest(ranges: readonly Range[]): (offset: number) => boolean {
  const joined = joinRanges(ranges);
  const starts = joined.map(({ start }) => start);
  return (offset) => offset < (joined[countBefore(starts, offset + 1) - 1]?.end ?? 0);
}

/** Returns how many of the ascending numbers are less than `limit`. */
export function countBefore(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
