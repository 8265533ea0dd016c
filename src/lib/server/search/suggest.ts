import { fold, foldForm } from './text/fold.ts';
import type { IndexReader, FoundHead } from './reader.ts';
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
    for (const kind of ['author', 'tag'] as const)
      documents.push(...(await reader.newest('heads', { words: [], labels: [labelOf(kind, form)] }, 1)));
  const heads = await reader.heads([...new Set(documents)]);
  const newestFirst = heads.toSorted((a, b) => b.document - a.document);
  return {
    titles: titlesOf(newestFirst, form, words),
    tags: namesOf(
      newestFirst.flatMap(({ tags }) => tags),
      form,
    ),
    authors: namesOf(
      newestFirst.map(({ author }) => author),
      form,
    ),
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

function namesOf(names: readonly string[], form: string): string[] {
  const typed = fold(form);
  const counts = new Map<string, number>();
  for (const name of names) if (fold(name).includes(typed)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const nearness = (name: string) =>
    (fold(name) === typed ? 2 : fold(name).startsWith(typed) ? 1 : 0) +
    (foldForm(name).includes(form) ? 0.5 : 0);
  return [...counts]
    .sort(([a, many], [b, more]) => nearness(b) - nearness(a) || more - many || (a < b ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
}
