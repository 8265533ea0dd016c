import { fold, foldForm, isTraditional } from './text/fold.ts';
import { TRADITIONAL } from './text/folded-document.ts';
import { namesOf, type FoundHead, type IndexReader } from './reader.ts';
import type { SearchTerms } from './results.ts';

/** Characters read of each text, to see in which characters it is written. */
const READ_CHARACTERS = 20_000;

/**
 * Returns the `ranked` documents with the exact hits rearranged: those that contain the words in the
 * characters of the query, then those that contain them only in traditional instead of simplified characters
 * or the reverse. Looser hits keep their places.
 * @param exact the exact hits among them
 */
export async function exactFormFirst(
  reader: IndexReader,
  asked: SearchTerms,
  ranked: readonly number[],
  heads: readonly FoundHead[],
  exact: readonly number[],
): Promise<number[]> {
  const others = await inOtherForm(reader, asked, heads, exact);
  if (others.size === 0) return [...ranked];
  const isExact = new Set(exact);
  const hits = ranked.filter((document) => isExact.has(document));
  const sorted = [
    ...hits.filter((document) => !others.has(document)),
    ...hits.filter((document) => others.has(document)),
  ].values();
  return ranked.map((document) => (isExact.has(document) ? (sorted.next().value ?? document) : document));
}

/** Returns those of `documents` that contain a word only in other characters than the query. */
async function inOtherForm(
  reader: IndexReader,
  { words, labels, forms }: SearchTerms,
  heads: readonly FoundHead[],
  documents: readonly number[],
): Promise<ReadonlySet<number>> {
  const limit = documents.length;
  if (limit === 0) return new Set();
  const labelled = await reader.newest('whole', { words, labels: [...labels, TRADITIONAL] }, limit);
  const mixed = new Set(labelled);
  // Of more documents with the label, the older ones are unknown.
  const unknown = documents.filter((document) => mixed.has(document) || labelled.length === limit);
  const isUnknown = new Set(unknown);
  const others = new Set(
    forms.some(isTraditional) ? documents.filter((document) => !isUnknown.has(document)) : [],
  );
  if (unknown.length === 0) return others;
  const openings = await reader.openings(unknown, READ_CHARACTERS);
  for (const head of heads) {
    const { document, title } = head;
    if (!isUnknown.has(document)) continue;
    const text = [title, ...namesOf(head), openings.get(document) ?? ''].join('\n');
    if (!holdsForms(text, forms)) others.add(document);
  }
  return others;
}

function holdsForms(text: string, forms: readonly string[]): boolean {
  const written = foldForm(text);
  const missing = forms.filter((form) => !written.includes(form));
  if (missing.length === 0) return true;
  // Further down than was read, a word counts as written like the query.
  const folded = fold(text);
  return missing.every((form) => !folded.includes(fold(form)));
}
