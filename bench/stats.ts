/** The value below which the share `q` (0–1) of `values` lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** One line of a report: a ratio, its spread over the rounds, and what it has to reach. */
export interface Row {
  what: string;
  ratio: number;
  /** Smallest and largest ratio over the rounds. */
  spread: [number, number];
  /** `atLeast` or `atMost` as the goal says; none for figures that only inform. */
  goal?: { atLeast: number } | { atMost: number };
  /** Set for the few figures that are no ratios: what `ratio`, `spread` and `goal` count. */
  unit?: string;
  note?: string;
}

/**
 * A section of `npm run bench`, given the folder its databases are kept in, one of real markdown, and the
 * part to measure where that is not all.
 */
export type Section = (data: string, corpus: string, part?: string) => Promise<Row[]>;

/** Whether a row reaches its goal; true where it has none. */
export function isReached({ ratio, goal }: Row): boolean {
  if (!goal) return true;
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** The ratio of medians of paired rounds, with the spread of the pairs' own ratios. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Pick<Row, 'ratio' | 'spread'> {
  const pairs = ours.map((value, index) => value / (theirs[index] ?? Number.NaN));
  return { ratio: median(ours) / median(theirs), spread: [Math.min(...pairs), Math.max(...pairs)] };
}

/** A figure that stands for itself: the median, with the smallest and the largest. */
export const figureOf = (values: readonly number[]): Pick<Row, 'ratio' | 'spread'> => ({
  ratio: median(values),
  spread: [Math.min(...values), Math.max(...values)],
});
