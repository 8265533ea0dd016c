/** Edge runtimes have no threads, and clocks that stand still: work is judged before it begins. */

// Measured: each unit is 15 to 20 ns, so that this is a fifth of a second.
const MAX_WORK = 12_000_000;
/** Of plain constructs the costliest, lists, take 25 µs a character. */
const MAX_CHARACTERS = 100_000;
const QUOTE_WEIGHT = 5;
const UNDERLINE_WEIGHT = 10;

const EMPHASIS = new Set(['*', '_', '~']);
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/**
 * Whether an article may keep its renderer busy: it is long, or full of what takes quadratic time: in a block
 * marks of emphasis, open brackets and quoted lines, in the text lines that may underline a heading (20 KB of
 * `]` take six seconds). Linear; none of some hundred of the corpus is.
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
      // Inside a word an underscore is one: names in code have many.
      const isInside = character === '_' && isWord(text[index - 1]) && isWord(text[index + 1]);
      if (!isInside && text[index - 1] !== character) block.marks++;
    }
  }
}
