import { inspect } from '../markdown-file/inspect.ts';
import { createRangeTest } from '../markdown-file/offsets.ts';
import { scanTags } from './tags/scan.ts';

/**
 * Returns whether an offset is in code, including code in tags of generators, or in a match of `others`.
 * @param others global patterns
 * @throws Problem for a text that nests too deeply
 */
export function findCode(text: string, others: readonly RegExp[] = []): (offset: number) => boolean {
  return createRangeTest([
    ...inspect(text).code,
    ...scanTags(text).flatMap(({ end, rawEnd }) => (rawEnd ? [{ start: end, end: rawEnd.start }] : [])),
    ...others.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ start: index, end: index + length })),
    ),
  ]);
}
