/** Returns the quantile `q` (0–1) of `values`. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Row {
  what: string;
  ratio: number;
  /** Smallest and largest ratio over the rounds. */
  spread: [number, number];
  /** Undefined for figures that are informative only. */
  goal?: { atLeast: number } | { atMost: number };
  /** Unit of the few figures that are no ratios; applies to `ratio`, `spread` and `goal`. */
  unit?: string;
  note?: string;
}

/**
 * A section of `npm run bench`. Receives the folder of its databases, a folder of real Markdown, and the part
 * to measure unless that is everything.
 */
export type Section = (data: string, corpus: string, part?: string) => Promise<Row[]>;

/** Whether a row reaches its goal; true for a row without a goal. */
export function isReached({ ratio, goal }: Row): boolean {
  if (!goal) return true;
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** Returns the ratio of the medians of paired rounds, with the spread of the pairs' ratios. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Pick<Row, 'ratio' | 'spread'> {
  const pairs = ours.map((value, index) => value / (theirs[index] ?? Number.NaN));
  return { ratio: median(ours) / median(theirs), spread: [Math.min(...pairs), Math.max(...pairs)] };
}

/** An absolute figure: the median, with the smallest and the largest value. */
export const figureOf = (values: readonly number[]): Pick<Row, 'ratio' | 'spread'> => ({
  ratio: median(values),
  spread: [Math.min(...values), Math.max(...values)],
});
