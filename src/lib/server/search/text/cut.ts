import { loadWords } from '../../text/jieba.ts';
import { isInside, type WordTable } from '../../text/word-table.ts';

/** Word that jieba never looks up. Its frequency is the sum of all words that are not in the text. */
const REST = '\u{10fffd}';

type Cut = (text: string) => string[];

let cutter: Promise<Cut> | undefined;

/** Loads the Chinese dictionary once. Returns a function that cuts a text into words and parts of words. */
export const loadCutter = (): Promise<Cut> => (cutter ??= createCutter());

async function createCutter(): Promise<Cut> {
  const { Jieba } = await import('@node-rs/jieba');
  const table = await loadWords();
  const total = table.numbers().reduce((sum, number) => sum + number, 0);
  return (text) => Jieba.withDict(dictionaryOf(text, table, total)).cutForSearch(text, true);
}

/**
 * Returns the part of the dictionary that matters to a text, in jieba's format. jieba cuts the text with it
 * exactly as with the whole dictionary, which would take 38 MB.
 */
function dictionaryOf(text: string, table: WordTable, total: number): Buffer {
  const bytes = Buffer.from(text);
  const found = new Map<string, number>();
  for (let start = 0; start < bytes.length; start++) {
    if (isInside(bytes, start)) continue;
    table.eachAt(bytes, start, (end, count) => found.set(bytes.toString('utf8', start, end), count));
  }
  let rest = total;
  for (const count of found.values()) rest -= count;
  const lines = Array.from([...found, [REST, rest] as const], ([word, count]) => `${word} ${count} n`);
  return Buffer.from(lines.join('\n'));
}
