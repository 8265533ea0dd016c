import { loadWords } from '../jieba.ts';
import { isInside, type WordTable } from '../word-table.ts';

/** Never looked for by jieba; its frequency is that of all words which a text does not hold. */
const REST = '\u{10fffd}';

type Cut = (text: string) => string[];

let cutter: Promise<Cut> | undefined;

/** Loads the Chinese dictionary once; returns what cuts a text into words, and long ones' parts. */
export const loadCutter = (): Promise<Cut> => (cutter ??= createCutter());

async function createCutter(): Promise<Cut> {
  const { Jieba } = await import('@node-rs/jieba');
  const table = await loadWords();
  const total = table.numbers().reduce((sum, number) => sum + number, 0);
  return (text) => Jieba.withDict(dictionaryOf(text, table, total)).cutForSearch(text, true);
}

/**
 * The part of the dictionary that matters to a text, as a dictionary of jieba's. It cuts the text as the
 * whole one does, which would take 38 MB.
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
