/** Numbers in a pager: the first, the last, `page` and its neighbours; `null` marks a gap. */
export function pageWindow(page: number, pageCount: number): (number | null)[] {
  const shown = new Set([1, page - 1, page, page + 1, pageCount]);
  // A gap is not used in place of a single number.
  if (page === 4) shown.add(2);
  if (page === pageCount - 3) shown.add(pageCount - 1);
  const numbers = [...shown].filter((number) => number >= 1 && number <= pageCount).sort((a, b) => a - b);
  return numbers.flatMap((number, index) =>
    number - (numbers[index - 1] ?? 0) > 1 ? [null, number] : [number],
  );
}
