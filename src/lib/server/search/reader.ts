import type { FoldedDocument } from './text/folded-document.ts';

/** Fields to search: the title; tags and author; both and the headings; everything. */
export type Place = 'titles' | 'names' | 'heads' | 'whole';

export interface Wanted {
  words: readonly string[];
  labels: readonly string[];
}

/** Fields of an article used first in ranking; `headings` are folded, one per line. */
export interface FoundHead {
  document: number;
  id: string;
  title: string;
  tags: string[];
  /** '' for a page. */
  author: string;
  /** Display name of the author; '' for none. */
  author_name: string;
  /** State of the author's account. */
  banned_until: number | null;
  closed: string;
  headings: string;
}

/** Whether the author's account is neither banned nor closed. */
export const isOpen = ({ banned_until, closed }: FoundHead): boolean =>
  closed === '' && (banned_until ?? 0) <= Date.now();

/** Names of tags and author by which readers know an article. */
export const namesOf = ({ tags, author, author_name }: FoundHead): string[] =>
  [...tags, author, author_name].filter((name) => name !== '');

export interface FoundArticle {
  document: number;
  id: string;
  title: string;
  text: string;
}

type Answer<T> = T | Promise<T>;

/** Reads one snapshot of the index, on any engine. Lists are newest first. */
export interface IndexReader {
  /**
   * Must be called once per snapshot, after `titlesFrom` and before any method that searches for words. On
   * PostgreSQL its query also applies the planner settings of those searches, which suit no other query.
   * @returns the generation of the index, a number that grows with each change
   */
  startWordSearch(): Answer<number>;
  /** Returns the document of each recorded change after `generation`; null is a change of everything. */
  changesAfter(generation: number): Answer<readonly (number | null)[]>;
  folded(documents: readonly number[]): Answer<ReadonlyMap<number, FoldedDocument>>;
  count(wanted: Wanted): Answer<number>;
  all(place: Place, wanted: Wanted): Answer<Float64Array>;
  newest(place: Place, wanted: Wanted, limit: number): Answer<Float64Array>;
  /** Returns the newest documents that hold at least `least` of the words in `place`. */
  newestOfSome(place: Place, wanted: Wanted, least: number, limit: number): Answer<Float64Array>;
  /** Returns those of `documents` that hold all `words` anywhere. */
  holding(documents: readonly number[], words: readonly string[]): Answer<Float64Array>;
  /** Returns documents whose title begins with `prefix` (folded), sorted by title. */
  titlesFrom(prefix: string, limit: number): Answer<Float64Array>;
  /** Returns those of `documents` that readers see, in any order. */
  heads(documents: readonly number[]): Answer<readonly FoundHead[]>;
  /** Returns the first `characters` of each text that readers see. */
  openings(documents: readonly number[], characters: number): Answer<ReadonlyMap<number, string>>;
  articles(documents: readonly number[]): Answer<readonly FoundArticle[]>;
}
