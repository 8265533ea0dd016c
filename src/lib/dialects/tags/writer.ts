/** Characters of the current line that are kept: joining the whole text for each tag takes quadratic time. */
const LINE_START_CHARACTERS = 200;

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
      if (current.length < LINE_START_CHARACTERS) current += last.slice(0, LINE_START_CHARACTERS);
      return;
    }
    const before = lines.length === 2 ? current + (lines[0] ?? '') : (lines.at(-2) ?? '');
    isBlankBefore = isBlank(before);
    current = last.slice(0, LINE_START_CHARACTERS);
  }

  return {
    push,
    /** Appends a block after a blank line, with the prefix of the current line on each of its lines. */
    pushBlock(block: string): void {
      const prefix = prefixOf(current);
      if (!isBlank(current) && !isMarker(current)) push(`\n${prefix.trimEnd()}\n${prefix}`);
      else if (isBlank(current) && !isBlankBefore) push(`\n${prefix}`);
      push(block.replaceAll('\n', `\n${prefix}`));
    },
    prefix: () => prefixOf(current),
    text: () => pieces.join(''),
  };
}

const isBlank = (line: string): boolean => /^[ \t>]*$/.test(line);
const isMarker = (line: string): boolean => /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/.test(line);

function prefixOf(line: string): string {
  const [, outer = '', sign = ''] = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?/.exec(line) ?? [];
  return outer + ' '.repeat(sign.length);
}
