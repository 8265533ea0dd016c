/** Edge runtimes have no threads, and their clocks stand still, so work is estimated before it starts. */

// Measured: a unit takes 15 to 20 ns, so this is a fifth of a second.
const MAX_WORK = 12_000_000;
/** Lists are the most expensive plain construct: 25 µs per character. */
const MAX_CHARACTERS = 100_000;
const QUOTE_WEIGHT = 5;
const UNDERLINE_WEIGHT = 10;

const EMPHASIS = new Set(['*', '_', '~']);
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * Whether rendering an article may take long: it has many characters or much syntax with quadratic cost:
 * emphasis marks, unmatched brackets and quoted lines within a block, and heading underlines in the whole
 * text (20 KB of `]` take six seconds). Takes linear time; none of a sample of about 100 corpus articles
 * exceeds it.
 */
export function isMuchWork(source: string): boolean {
  if (source.length > MAX_CHARACTERS) return true;
  let work = 0;
  let underlines = 0;
  let block = emptyBlock();
  const endBlock = () => {
    work += block.marks ** 2 + block.surplus ** 2 + QUOTE_WEIGHT * block.quotes ** 2;
    block = emptyBlock();
  };
  for (const line of source.split('\n')) {
    const text = line.trim();
    if (text === '') {
      endBlock();
      continue;
    }
    if (/^(?:=+|-+)$/.test(text)) underlines++;
    if (text.startsWith('>')) block.quotes++;
    countMarks(text, block);
  }
  endBlock();
  return work + UNDERLINE_WEIGHT * underlines ** 2 > MAX_WORK;
}

const emptyBlock = () => ({ marks: 0, open: 0, surplus: 0, quotes: 0 });

function countMarks(text: string, block: ReturnType<typeof emptyBlock>): void {
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '[') block.open++;
    else if (character === ']') {
      if (block.open > 0) block.open--;
      else block.surplus++;
    } else if (EMPHASIS.has(character)) {
      // An underscore inside a word is not emphasis; identifiers in code have many.
      const isInside = character === '_' && isWord(text[index - 1]) && isWord(text[index + 1]);
      if (!isInside && text[index - 1] !== character) block.marks++;
    }
  }
}
