import { commonEnds } from '../../shared/common-ends.ts';
import { parseRegion, partsOf, type Defining, type Part } from './parts.ts';

/**
 * Returns the parts of an article after a change; parts outside the change are reused.
 * @param old the parts of `before`; empty on the first call
 */
export function changeParts(old: readonly Part[], before: string, after: string): readonly Part[] {
  if (before === after && old.length > 0) return old;
  const changed = old.length > 0 ? changeRegion(old, before, after) : allParts(after);
  // Whether `[a]` is a link depends on definitions anywhere in the article.
  return namesOf(old) === namesOf(changed) ? changed : allParts(after);
}

function allParts(source: string): Part[] {
  const region = parseRegion(source, []);
  return partsOf(region, source.length).parts;
}

function changeRegion(old: readonly Part[], before: string, after: string): Part[] {
  const starts = startsOf(old);
  const delta = after.length - before.length;
  const { head, tail } = commonEnds(before, after);
  // A changed first line may continue the preceding block.
  const first = Math.max(0, starts.findLastIndex((start) => start <= head) - 1);
  const from = starts[first] ?? 0;
  const unchanged = starts.findIndex((start) => start >= before.length - tail);
  let next = unchanged < 0 ? old.length : unchanged;
  for (let step = 1; ; step *= 2) {
    // The next part is parsed as well: if it still begins at the same place, everything after it is
    // unchanged.
    const probe = old[next];
    const end = probe ? (starts[next] ?? 0) + delta - from : after.length - from;
    const context = definitionsOf([...old.slice(0, first), ...old.slice(next + 1)]);
    const region = parseRegion(after.slice(from, from + end + (probe?.source.length ?? 0)), context);
    if (!probe || end === 0 || region.starts.includes(end)) {
      const { parts, isOpen } = partsOf(region, end);
      if (!probe || !isOpen) return [...old.slice(0, first), ...parts, ...old.slice(next)];
    }
    next = Math.min(next + step, old.length);
  }
}

function startsOf(parts: readonly Part[]): number[] {
  let next = 0;
  return parts.map(({ source }) => (next += source.length) - source.length);
}

export const definitionsOf = (parts: readonly Part[]): Defining[] =>
  parts.flatMap(({ definitions }) => definitions);

const namesOf = (parts: readonly Part[]): string =>
  [...new Set(definitionsOf(parts).map(({ type, identifier }) => `${type} ${identifier}`))].sort().join('\n');
