import type { Matches } from './match.ts';

const NONE = new Float64Array();

/** Returns the documents that match at least `least` of `words` in a field of `mask`, and all `labels`. */
export function combine(
  words: readonly Matches[],
  labels: readonly Matches[],
  mask: number,
  least: number,
): Float64Array {
  const lists = words.map((matches) => inFields(matches, mask));
  const all = labels.map(({ documents }) => documents);
  if (least === lists.length) return intersect([...lists, ...all]);
  return intersect([inSome(lists, least), ...all]);
}

function inFields({ documents, masks }: Matches, mask: number): Float64Array {
  if (masks.every((own) => (own & mask) !== 0)) return documents;
  return documents.filter((_, index) => ((masks[index] ?? 0) & mask) !== 0);
}

function intersect(lists: readonly Float64Array[]): Float64Array {
  const [smallest = NONE, ...others] = lists.toSorted((a, b) => a.length - b.length);
  return others.reduce((shared, other) => {
    let at = 0;
    return shared.filter((document) => {
      while ((other[at] ?? Infinity) < document) at += 1;
      return other[at] === document;
    });
  }, smallest);
}

function inSome(lists: readonly Float64Array[], least: number): Float64Array {
  const places = lists.map(() => 0);
  const found: number[] = [];
  for (;;) {
    let document = Infinity;
    for (const [index, list] of lists.entries())
      document = Math.min(document, list[places[index] ?? 0] ?? Infinity);
    if (document === Infinity) return Float64Array.from(found);
    let count = 0;
    for (const [index, list] of lists.entries()) {
      const place = places[index] ?? 0;
      if (list[place] !== document) continue;
      places[index] = place + 1;
      count += 1;
    }
    if (count >= least) found.push(document);
  }
}
