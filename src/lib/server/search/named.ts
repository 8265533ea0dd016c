import { fold } from './fold.ts';
import type { IndexReader } from './reader.ts';
import type { SearchPage } from './search.ts';
import { labelOf } from './tokens.ts';

/** Longer than any name, with room for what folding adds. */
const LONGEST = 60;

/** The author, and the tag, that is called `name` (folded), as far as anything of theirs is public. */
export async function findNamed(reader: IndexReader, name: string): Promise<SearchPage['named']> {
  if (name.length > LONGEST) return {};
  const newestOf = async (kind: 'author' | 'tag') => {
    const documents = await reader.newest('heads', { words: [], labels: [labelOf(kind, name)] }, 1);
    return (await reader.heads([...documents]))[0];
  };
  const author = (await newestOf('author'))?.author;
  const tag = (await newestOf('tag'))?.tags.find((each) => fold(each) === name);
  return { ...(author === undefined ? {} : { author }), ...(tag === undefined ? {} : { tag }) };
}
