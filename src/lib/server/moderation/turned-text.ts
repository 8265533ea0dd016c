/** Shows what follows from right to left, Chinese characters too, up to the end or the paragraph's. */
const OVERRIDE = /\u202e([^\u202c\n]*)/g;

/**
 * A text as it is shown where a right-to-left override turns parts of it around, and the range of the written
 * text that a range of it stands for; null for a text without one.
 */
export function turnOverrides(text: string): {
  text: string;
  rangeOf(shown: { start: number; end: number }): { start: number; end: number };
} | null {
  if (!text.includes('\u202e')) return null;
  const parts: { start: number; end: number }[] = [];
  const turned = text.replace(OVERRIDE, (whole, part: string, at: number) => {
    parts.push({ start: at + 1, end: at + whole.length });
    return `\u202e${[...part].toReversed().join('')}`;
  });
  return {
    text: turned,
    rangeOf(shown) {
      const touched = parts.filter(({ start, end }) => shown.start < end && shown.end > start);
      const [part] = touched;
      if (!part) return shown;
      // Inside of one part it is mirrored; what reaches beyond takes the whole part along.
      if (shown.start >= part.start && shown.end <= part.end)
        return { start: part.start + part.end - shown.end, end: part.start + part.end - shown.start };
      const last = touched.at(-1) ?? part;
      return { start: Math.min(shown.start, part.start), end: Math.max(shown.end, last.end) };
    },
  };
}
