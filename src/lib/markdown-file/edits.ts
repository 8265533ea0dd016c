import type { Range } from './offsets.ts';

export interface Edit extends Range {
  by: string;
}

/** A text after edits. */
export interface Edited {
  text: string;
  /** Converts a line of the text, from 0, to a line of the original. */
  lineOf(line: number): number;
}

export const unedited = (text: string): Edited => ({ text, lineOf: (line) => line });

/** Applies edits to a text; an edit that overlaps an earlier one is left out. */
export function applyEdits({ text, lineOf }: Edited, edits: readonly Edit[]): Edited {
  if (edits.length === 0) return { text, lineOf };
  const pieces: string[] = [];
  /** By how much the lines from `line` on differ from those before the edits. */
  const shifts: { line: number; by: number }[] = [];
  let position = 0;
  let line = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < position) continue;
    const same = text.slice(position, start);
    const [removed, added] = [countLines(text.slice(start, end)), countLines(by)];
    line += countLines(same) + added;
    if (removed !== added) shifts.push({ line, by: (shifts.at(-1)?.by ?? 0) + added - removed });
    pieces.push(same, by);
    position = end;
  }
  pieces.push(text.slice(position));
  return {
    text: pieces.join(''),
    lineOf: (at) => lineOf(at - (shifts.findLast((shift) => shift.line <= at)?.by ?? 0)),
  };
}

/** Removes parts of a text except for their line breaks, so that the numbers of its lines stay. */
export const removeParts = (text: string, parts: readonly Range[]): string =>
  applyEdits(
    unedited(text),
    parts.map(({ start, end }) => ({ start, end, by: text.slice(start, end).replace(/[^\n]+/g, '') })),
  ).text;

const countLines = (text: string): number => text.split('\n').length - 1;
