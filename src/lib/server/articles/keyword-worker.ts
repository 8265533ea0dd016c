import { parentPort } from 'node:worker_threads';
import { readDictionary } from '../jieba.ts';
import { createCutter } from '../word-cutter.ts';
import { readWordTable } from '../word-table.ts';
import { keywordsOf, type ReadText } from './keywords.ts';

// The dictionary without new words: with them, articles would be about other words (KEYWORDS_VERSION).
const cut = createCutter(readWordTable(await readDictionary('dict')));
const rarities = readWordTable(await readDictionary('idf'));
const median = medianOf(rarities.numbers());
const dictionary = { cut, rarityOf: (word: string) => rarities.numberOf(word) ?? median };

parentPort?.on('message', (article: ReadText) => parentPort?.postMessage(keywordsOf(article, dictionary)));

/** As jieba takes it: of an even number the lower one. */
function medianOf(numbers: Float64Array): number {
  return numbers.sort()[Math.ceil(numbers.length / 2) - 1] ?? 0;
}
