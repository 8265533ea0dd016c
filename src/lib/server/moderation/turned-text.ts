/**
 * Displays the following text from right to left, Chinese too, up to its end mark or the end of the
 * paragraph.
 */
const OVERRIDE = /\u202e([^\u202c\n]*)/g;

/**
 * Returns a text as displayed when right-to-left overrides reverse parts of it, and a function that maps
 * displayed ranges to written ones; null for a text without overrides.
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
      if (shown.start >= part.start && shown.end <= part.end)
        return { start: part.start + part.end - shown.end, end: part.start + part.end - shown.start };
      const last = touched.at(-1) ?? part;
      return { start: Math.min(shown.start, part.start), end: Math.max(shown.end, last.end) };
    },
  };
}
