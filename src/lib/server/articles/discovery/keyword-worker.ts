import { answerRequests } from '../../jobs/answer-requests.ts';
import { readDictionary } from '../../text/jieba.ts';
import { createCutter } from '../../text/word-cutter.ts';
import { readWordTable } from '../../text/word-table.ts';
import { keywordsOf, type ReadText } from './keywords.ts';

// Without NEW_WORDS, which would change the keywords of articles and require another KEYWORDS_VERSION.
const cut = createCutter(readWordTable(await readDictionary('dict')));
const rarities = readWordTable(await readDictionary('idf'));
const median = medianOf(rarities.numbers());
const dictionary = { cut, rarityOf: (word: string) => rarities.numberOf(word) ?? median };

answerRequests((article: ReadText) => keywordsOf(article, dictionary));

/** Returns the median as jieba computes it: the lower of the two middle numbers if their count is even. */
function medianOf(numbers: Float64Array): number {
  return numbers.sort()[Math.ceil(numbers.length / 2) - 1] ?? 0;
}
