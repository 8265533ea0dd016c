/** Puts a text together, and knows the line under way: a block stands on lines of its own. */
/** Characters of a line that are looked at: to put the whole together for each tag takes quadratic time. */
const LINE_START = 200;

export type Writer = ReturnType<typeof createWriter>;

export function createWriter() {
  const pieces: string[] = [];
  let current = '';
  let isBlankBefore = true;

  function push(text: string): void {
    if (text === '') return;
    pieces.push(text);
    const lines = text.split('\n');
    const last = lines.at(-1) ?? '';
    if (lines.length === 1) {
      if (current.length < LINE_START) current += last.slice(0, LINE_START);
      return;
    }
    const before = lines.length === 2 ? current + (lines[0] ?? '') : (lines.at(-2) ?? '');
    isBlankBefore = isBlank(before);
    current = last.slice(0, LINE_START);
  }

  return {
    push,
    /** Lines of their own, apart from those before by a blank one, each behind what the line begins with. */
    pushBlock(block: string): void {
      const prefix = prefixOf(current);
      if (!isBlank(current) && !isMarker(current)) push(`\n${prefix.trimEnd()}\n${prefix}`);
      else if (isBlank(current) && !isBlankBefore) push(`\n${prefix}`);
      push(block.replaceAll('\n', `\n${prefix}`));
    },
    /** What a line below has to begin with. */
    prefix: () => prefixOf(current),
    text: () => pieces.join(''),
  };
}

const isBlank = (line: string): boolean => /^[ \t>]*$/.test(line);
const isMarker = (line: string): boolean => /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/.test(line);

/** The quotation marks and the indentation of a line, a list's sign as so many spaces. */
function prefixOf(line: string): string {
  const [, outer = '', sign = ''] = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?/.exec(line) ?? [];
  return outer + ' '.repeat(sign.length);
}
