import { commonEnds } from '../../../lib/shared/common-ends.ts';

/** Lines that both versions have at one place. They are equal if `isSame`. */
export interface Place {
  isSame: boolean;
  mine: readonly string[];
  theirs: readonly string[];
}

const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/**
 * Aligns two texts by their equal paragraphs and code blocks, then by equal lines between those. Blank lines,
 * rules and fences, of which every text has many, are no evidence that two places correspond.
 */
export function alignTexts(mine: string, theirs: string): Place[] {
  const byLine: Compare = (own, other) => align(own, other, compareLines);
  return joined(align(blocksOf(mine.split('\n')), blocksOf(theirs.split('\n')), byLine));
}

const isTelling = (block: string) =>
  /[\p{L}\p{N}]/u.test(block) && (block.includes('\n') || !FENCE.test(block));

/** Joins lines to paragraphs, code blocks and single blank lines, which are compared as one. */
function blocksOf(lines: readonly string[]): string[] {
  const blocks: string[][] = [];
  let fence = '';
  let isOpen = false;
  for (const line of lines) {
    const isBlank = fence === '' && line.trim() === '';
    if (isOpen && !isBlank) blocks.at(-1)?.push(line);
    else blocks.push([line]);
    isOpen = !isBlank;
    const [, marks = ''] = FENCE.exec(line) ?? [];
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence)) fence = '';
  }
  return blocks.map((block) => block.join('\n'));
}

type Compare = (mine: readonly string[], theirs: readonly string[]) => Place[];

/** Pairs equal blocks in the order of both texts, and compares what is between two pairs by `compare`. */
function align(mine: readonly string[], theirs: readonly string[], compare: Compare): Place[] {
  // Long lists are not spread into arguments, which would exceed the stack.
  const places: Place[][] = [];
  let [own, other] = [0, 0];
  for (const [ownEnd, otherEnd] of [
    ...inOrder(pairsOf(mine, theirs)),
    [mine.length, theirs.length] as const,
  ]) {
    const same = linesOf(mine.slice(ownEnd, ownEnd + 1));
    const changed = between(mine.slice(own, ownEnd), theirs.slice(other, otherEnd), compare);
    places.push(changed, [{ isSame: true, mine: same, theirs: same }]);
    [own, other] = [ownEnd + 1, otherEnd + 1];
  }
  return places.flat();
}

/** Positions of equal blocks in both texts. */
type Pair = readonly [mine: number, theirs: number];

/** Returns the pairs of equal telling blocks, of repeated ones the first with the first, and so on. */
function pairsOf(mine: readonly string[], theirs: readonly string[]): Pair[] {
  const found = new Map<string, number[]>();
  for (const [at, block] of theirs.entries()) {
    const known = found.get(block);
    if (known) known.push(at);
    else if (isTelling(block)) found.set(block, [at]);
  }
  const counts = new Map<string, number>();
  return mine.flatMap((block, at): Pair[] => {
    const count = counts.get(block) ?? 0;
    counts.set(block, count + 1);
    const other = found.get(block)?.[count];
    return other === undefined ? [] : [[at, other]];
  });
}

/**
 * Returns the most pairs that are in the same order in both texts: the longest increasing subsequence. The
 * time is n log n however different the texts are; jsdiff would need a time limit.
 */
function inOrder(pairs: readonly Pair[]): Pair[] {
  type Link = { pair: Pair; before: Link | undefined };
  /** The sequences of each length that end with the smallest position. */
  const ends: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, before: ends[low - 1] };
  }
  const result: Pair[] = [];
  for (let link = ends.at(-1); link; link = link.before) result.push(link.pair);
  return result.toReversed();
}

/** Compares blocks between two pairs, without their common start and end. */
function between(mine: readonly string[], theirs: readonly string[], compare: Compare): Place[] {
  const { head, tail } = commonEnds(mine, theirs);
  const middleOf = (blocks: readonly string[]) => linesOf(blocks.slice(head, blocks.length - tail));
  const [own, other] = [middleOf(mine), middleOf(theirs)];
  const [first, last] = [linesOf(mine.slice(0, head)), linesOf(mine.slice(mine.length - tail))];
  const isChange = own.length > 0 && other.length > 0;
  return [
    { isSame: true, mine: first, theirs: first },
    ...(isChange ? compare(own, other) : [{ isSame: false, mine: own, theirs: other }]),
    { isSame: true, mine: last, theirs: last },
  ];
}

const linesOf = (blocks: readonly string[]) => blocks.flatMap((block) => block.split('\n'));

/** Compares lines in pairs if each pair is equal or two versions of a line, else as a whole. */
function compareLines(mine: readonly string[], theirs: readonly string[]): Place[] {
  const isPaired =
    mine.length === theirs.length && mine.every((line, at) => isVersion(line, theirs[at] ?? ''));
  if (!isPaired) return [{ isSame: false, mine, theirs }];
  return mine.map((line, at) => ({ isSame: line === theirs[at], mine: [line], theirs: [theirs[at] ?? ''] }));
}

/** Whether one line may be a change of the other: they share half of the shorter one at their ends. */
function isVersion(one: string, other: string): boolean {
  if (one === other) return true;
  const { head, tail } = commonEnds(one, other);
  return (head + tail) * 2 >= Math.min(one.length, other.length) && head + tail > 0;
}

/** Joins adjacent places of the same kind and removes empty ones. */
function joined(places: readonly Place[]): Place[] {
  const result: { isSame: boolean; mine: string[]; theirs: string[] }[] = [];
  for (const { isSame, mine, theirs } of places) {
    if (mine.length + theirs.length === 0) continue;
    const last = result.at(-1);
    if (last?.isSame !== isSame) result.push({ isSame, mine: [...mine], theirs: [...theirs] });
    else {
      for (const line of mine) last.mine.push(line);
      for (const line of theirs) last.theirs.push(line);
    }
  }
  return result;
}
