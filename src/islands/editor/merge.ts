import { mergeFields } from '../../lib/contract/authored-fields.ts';
import { BOUNDS } from '../../lib/contract/bounds.ts';
import type { DraftFields } from '../../lib/stores/draft.ts';

const MINE = '<!-- 我的改动 -->';
const THEIRS = '<!-- 对方的改动 -->';
const END = '<!-- 改动到此为止 -->';

/**
 * Both versions in one, for a writer who wants to choose line by line: what they share at both ends once,
 * between marks what differs. The marks are comments, which readers do not see should one be forgotten. Of
 * every other field mine stays unless it is empty; tags are those of both.
 */
export function mergeVersions(mine: DraftFields, theirs: DraftFields): DraftFields {
  return {
    ...mergeFields(mine, theirs),
    content: mergeText(mine.content, theirs.content),
    tags: [...new Set([...mine.tags, ...theirs.tags])].slice(0, BOUNDS.tags[1]),
  };
}

function mergeText(mine: string, theirs: string): string {
  const [a, b] = [mine.split('\n'), theirs.split('\n')];
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  if (head === a.length && head === b.length) return mine;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const between = (lines: string[]) => lines.slice(head, lines.length - tail);
  const differing = [MINE, ...between(a), THEIRS, ...between(b), END];
  return [...a.slice(0, head), ...differing, ...a.slice(a.length - tail)].join('\n');
}

/** For each line of `text`, whether the other version has no such line. */
export function ownLines(text: string, other: string): { text: string; isOwn: boolean }[] {
  const theirs = new Set(other.split('\n'));
  return text.split('\n').map((line) => ({ text: line, isOwn: line.trim() !== '' && !theirs.has(line) }));
}
