import { isDropped } from './element-names.ts';
import { findTags } from './unknown-tags.ts';

/**
 * Finds the start tags that pages do not have, and shows which.
 * @param html ranges of raw HTML in the text, in order
 */
export function findDropped(
  text: string,
  html: readonly { start: number; end: number }[],
): { name: string; start: number; end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  const closed = new Set<string>();
  let next = text.length;
  for (const range of html.toReversed()) {
    if (/\n[ \t]*\n/.test(text.slice(range.end, next))) closed.clear();
    next = range.start;
    for (const { name, index, isEnd, isBare, isText } of findTags(
      text.slice(range.start, range.end),
    ).toReversed()) {
      if (isEnd) closed.add(name);
      if (isEnd || isText || !isDropped(name)) continue;
      const start = range.start + index;
      const end = start + 1 + name.length;
      // Shown as text, see `remarkUnknownTags`.
      if (isBare && !closed.has(name) && !isAlone(text, start, end + 1)) continue;
      found.push({ name, start, end });
    }
  }
  return found.toReversed();
}

const isAlone = (text: string, start: number, end: number): boolean =>
  (start === 0 || text[start - 1] === '\n') && /^[ \t\r]*(?:\n|<|$)/.test(text.slice(end, end + 80));

/** Chinese sentence about a tag. */
export const droppedTag = (name: string): string =>
  /^(?:script|style)$/i.test(name)
    ? `文章里不能用 <${name}>，它和其中的内容不会显示`
    : `文章里不能用 <${name}>，标签会去掉，其中的文字保留`;
