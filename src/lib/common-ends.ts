/** How many UTF-16 units both texts begin with, and how many of the rest they end with. */
export function commonEnds(before: string, after: string): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  const isSame = () =>
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail);
  while (tail < most - head && isSame()) tail++;
  return { head, tail };
}
