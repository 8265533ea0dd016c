const segmenter = new Intl.Segmenter('zh', { granularity: 'grapheme' });

// Between two of these characters there is always a boundary; most text consists of them.
const SIMPLE = /[\n -~\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff5e]/;
const REACH = 200;

/** Returns the start of the grapheme that contains `index` (UTF-16 units); `index` itself at a boundary. */
export function graphemeStart(text: string, index: number): number {
  return isBoundary(text, index) ? index : graphemeAt(text, index)[0];
}

export function graphemeEnd(text: string, index: number): number {
  if (isBoundary(text, index)) return index;
  const [start, end] = graphemeAt(text, index);
  return start === index ? index : end;
}

function isBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  return SIMPLE.test(text[index - 1] as string) && SIMPLE.test(text[index] as string);
}

/** Segments only the surroundings of `index`, starting at a certain boundary or far enough away. */
function graphemeAt(text: string, index: number): [number, number] {
  let from = index - 1;
  while (from > 0 && index - from < REACH && !isBoundary(text, from)) from -= 1;
  from = Math.max(from, 0);
  const found = segmenter.segment(text.slice(from, index + REACH)).containing(index - from);
  if (!found) return [index, index];
  return [from + found.index, from + found.index + found.segment.length];
}
