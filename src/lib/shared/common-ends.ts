/** Units compared at once; four times as fast as one by one in texts of 200,000. */
const BLOCK_CHARACTERS = 512;

/** Returns the lengths of the common prefix, and of the common suffix of the rest, in UTF-16 units. */
export function commonEnds(before: string, after: string): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  const head = countSame(most, (at, end) => before.slice(at, end) === after.slice(at, end));
  const shift = after.length - before.length;
  const last = before.length;
  const tail = countSame(
    most - head,
    (at, end) => before.slice(last - end, last - at) === after.slice(last - end + shift, last - at + shift),
  );
  return { head, tail };
}

function countSame(most: number, isSame: (at: number, end: number) => boolean): number {
  let count = 0;
  for (let block = BLOCK_CHARACTERS; block >= 1; block /= 2)
    while (count + block <= most && isSame(count, count + block)) count += block;
  return count;
}
