import { countWords } from '../shared/word-count.ts';
import { splitAtFold } from './excerpt.ts';
import { isTooComplex, refuseDeepLines, refuseLargeTree, treeBytes } from './limits.ts';
import { toSafeTree } from './pipeline.ts';
import { plainText } from './text.ts';

/**
 * Returns the `words` of `renderMarkdown` without rendering; of a source too complex for that, the words of
 * the source.
 */
export function countMarkdown(source: string): number {
  try {
    const { withoutFold } = splitAtFold(source);
    refuseDeepLines(withoutFold);
    const tree = toSafeTree(withoutFold);
    refuseLargeTree(treeBytes(tree));
    return countWords(plainText(tree));
  } catch (error) {
    if (isTooComplex(error)) return countWords(source);
    throw error;
  }
}
