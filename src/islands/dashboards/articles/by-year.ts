export interface Year<T> {
  year: string;
  items: T[];
}

/**
 * Groups adjacent items of the same year.
 * @param items newest first (or oldest first)
 * @param minuteOf formats an instant as YYYY-MM-DD HH:mm; its time zone decides the year
 */
export function byYear<T extends { create_time: string }>(
  items: readonly T[],
  minuteOf: (iso: string) => string,
): Year<T>[] {
  const years: Year<T>[] = [];
  for (const item of items) {
    const year = minuteOf(item.create_time).slice(0, 'YYYY'.length);
    const last = years.at(-1);
    if (last?.year === year) last.items.push(item);
    else years.push({ year, items: [item] });
  }
  return years;
}
