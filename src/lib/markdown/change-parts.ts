import { commonEnds } from '../common-ends.ts';
import { parseRegion, partsOf, type Defining, type Part } from './parts.ts';

/**
 * The parts of an article after a change, those around it kept.
 * @param old its parts when it read `before`; none at first
 */
export function changeParts(old: readonly Part[], before: string, after: string): readonly Part[] {
  if (before === after && old.length > 0) return old;
  const changed = old.length > 0 ? changeRegion(old, before, after) : allParts(after);
  // Whether `[a]` is a link depends on a definition anywhere.
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
  // The block before may go on in a changed first line.
  const first = Math.max(0, starts.findLastIndex((start) => start <= head) - 1);
  const from = starts[first] ?? 0;
  const unchanged = starts.findIndex((start) => start >= before.length - tail);
  let next = unchanged < 0 ? old.length : unchanged;
  for (let step = 1; ; step *= 2) {
    // The next part is parsed along with them: where it begins as before, all after it is as before.
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

/** All that others may refer to, in reading order. */
export const definitionsOf = (parts: readonly Part[]): Defining[] =>
  parts.flatMap(({ definitions }) => definitions);

const namesOf = (parts: readonly Part[]): string =>
  [...new Set(definitionsOf(parts).map(({ type, identifier }) => `${type} ${identifier}`))].sort().join('\n');
