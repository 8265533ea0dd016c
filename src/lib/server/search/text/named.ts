import { foldForm } from './fold.ts';
import type { FoundHead, IndexReader } from '../reader.ts';
import type { SearchPage } from '../search.ts';
import { labelOf } from './tokens.ts';

const MAX_NAME_CHARACTERS = 60;

/** Returns the author and the tag named `name` (folded by `foldForm`), if they have public articles. */
export async function findNamed(reader: IndexReader, name: string): Promise<SearchPage['named']> {
  if (name.length > MAX_NAME_CHARACTERS) return {};
  const documents: number[] = [];
  for (const kind of ['author', 'tag'] as const)
    documents.push(...(await reader.newest('heads', { words: [], labels: [labelOf(kind, name)] }, 1)));
  return namedIn(await reader.heads(documents), name);
}

/** Like `findNamed`, among `heads`; for several spellings of a tag, returns the newest. */
export function namedIn(heads: readonly FoundHead[], name: string): SearchPage['named'] {
  const newest = heads.toSorted((a, b) => b.document - a.document);
  const author = newest.find((head) => foldForm(head.author) === name)?.author;
  const tag = newest.flatMap(({ tags }) => tags).find((each) => foldForm(each) === name);
  return { ...(author === undefined ? {} : { author }), ...(tag === undefined ? {} : { tag }) };
}
