/** Tracks the minimum of the last `count` to `2 * count` observed values; 0 before the first. */
export function shortestOf(count: number) {
  let [former, current, observed] = [Infinity, Infinity, 0];
  return {
    observe(ms: number): void {
      if (observed++ % count === 0) [former, current] = [current, Infinity];
      current = Math.min(current, ms);
    },
    ms(): number {
      const least = Math.min(former, current);
      return least === Infinity ? 0 : least;
    },
  };
}
