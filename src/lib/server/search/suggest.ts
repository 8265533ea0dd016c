import { authorNamesOf } from './candidates.ts';
import { fold, foldForm } from './text/fold.ts';
import { isOpen, type FoundHead, type IndexReader } from './reader.ts';
import type { Suggestions } from './search.ts';
import { labelOf } from './text/tokens.ts';

const MAX_TITLES = 5;
const MAX_NAMES = 3;
const MAX_CANDIDATES = 20;

/**
 * Returns completions of `text`: titles, tags and authors that begin with it, then those that contain it.
 * Empty text has none.
 */
export async function findSuggestions(reader: IndexReader, text: string): Promise<Suggestions> {
  const form = foldForm(text).replace(/\s+/gu, ' ').trim();
  const typed = fold(form);
  const words = typed.split(' ');
  if (typed === '') return { titles: [], tags: [], authors: [] };
  const documents = [...(await reader.titlesFrom(typed, MAX_CANDIDATES))];
  await reader.startWordSearch();
  documents.push(...(await reader.newest('titles', { words, labels: [] }, MAX_CANDIDATES)));
  const named = await reader.newest('names', { words, labels: [] }, MAX_CANDIDATES);
  documents.push(...named);
  // Ensures that a tag or author with exactly this name is included, even if many others contain it.
  if (named.length === MAX_CANDIDATES)
    for (const kind of ['author', 'display', 'tag'] as const)
      documents.push(...(await reader.newest('heads', { words: [], labels: [labelOf(kind, form)] }, 1)));
  const heads = await reader.heads([...new Set(documents)]);
  const newestFirst = heads.toSorted((a, b) => b.document - a.document);
  const open = newestFirst.filter(isOpen);
  const authors = completionsOf(
    open.map(({ author, author_name }) => ({ name: author, forms: [author, author_name] })),
    form,
  );
  return {
    titles: titlesOf(newestFirst, form, words),
    tags: completionsOf(
      newestFirst.flatMap(({ tags }) => tags.map((name) => ({ name, forms: [name] }))),
      form,
    ),
    authors,
    ...authorNamesOf(open, authors),
  };
}

function titlesOf(
  heads: readonly FoundHead[],
  form: string,
  words: readonly string[],
): Suggestions['titles'] {
  const seen = new Set<string>();
  const typed = fold(form);
  const hasForm = (title: string) => Number(foldForm(title).includes(form));
  return heads
    .map(({ id, title }) => ({ id, title, folded: fold(title) }))
    .filter(({ folded }) => words.every((word) => folded.includes(word)))
    .sort(
      (a, b) =>
        Number(b.folded.startsWith(typed)) - Number(a.folded.startsWith(typed)) ||
        hasForm(b.title) - hasForm(a.title) ||
        a.folded.length - b.folded.length,
    )
    .filter(({ title }) => !seen.has(title) && seen.add(title))
    .slice(0, MAX_TITLES)
    .map(({ id, title }) => ({ id, title }));
}

/** Returns the names with a form that contains `form`, nearest first. */
function completionsOf(names: readonly { name: string; forms: readonly string[] }[], form: string): string[] {
  const typed = fold(form);
  const nearnessOf = (written: string) => {
    const folded = fold(written);
    if (!folded.includes(typed)) return -1;
    const place = folded === typed ? 2 : folded.startsWith(typed) ? 1 : 0;
    return place + (foldForm(written).includes(form) ? 0.5 : 0);
  };
  const found = new Map<string, { nearness: number; count: number }>();
  for (const { name, forms } of names) {
    const nearness = Math.max(...forms.map(nearnessOf));
    if (nearness >= 0) found.set(name, { nearness, count: (found.get(name)?.count ?? 0) + 1 });
  }
  return [...found]
    .sort(
      ([a, one], [b, other]) => other.nearness - one.nearness || other.count - one.count || (a < b ? -1 : 1),
    )
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
}
