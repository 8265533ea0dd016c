import type { FoldedDocument } from './folded-document.ts';

/**
 * Where words are looked for: in the title, among tags and author's name, in those and headings, in
 * everything.
 */
export type Place = 'titles' | 'names' | 'heads' | 'whole';

/** What documents must hold: `words` (folded), and `labels` (tokens.ts) that a filter asks for. */
export interface Wanted {
  words: readonly string[];
  labels: readonly string[];
}

/** What ranking looks at first of a public article; `headings` are folded, a line each. */
export interface FoundHead {
  document: number;
  id: string;
  title: string;
  tags: string[];
  author: string;
  headings: string;
}

/** A public article as a hit shows it. */
export interface FoundArticle {
  document: number;
  id: string;
  title: string;
  text: string;
}

type Answer<T> = T | Promise<T>;

/** What a search asks of an engine, all of it about one snapshot of the index. Lists are newest first. */
export interface IndexReader {
  /**
   * A number that grows with each change of the index. Asked for before what is held: it says how an engine
   * plans that.
   */
  generation(): Answer<number>;
  /** The document of each change after `generation` that is kept; null is a change of everything. */
  changesAfter(generation: number): Answer<readonly (number | null)[]>;
  /** Those of `documents` that are public, folded. */
  folded(documents: readonly number[]): Answer<ReadonlyMap<number, FoldedDocument>>;
  /** How many documents hold all that is wanted. */
  count(wanted: Wanted): Answer<number>;
  /** Documents that hold all words in `place`. */
  all(place: Place, wanted: Wanted): Answer<Float64Array>;
  /** The first `limit` of `all`. */
  newest(place: Place, wanted: Wanted, limit: number): Answer<Float64Array>;
  /** The newest documents that hold at least `least` of the words in `place`. */
  newestOfSome(place: Place, wanted: Wanted, least: number, limit: number): Answer<Float64Array>;
  /** Those of `documents` that hold all `words` anywhere. */
  holding(documents: readonly number[], words: readonly string[]): Answer<Float64Array>;
  /** Some documents whose title begins with `prefix` (folded), in the order of their titles. */
  titlesFrom(prefix: string, limit: number): Answer<Float64Array>;
  /** Those of `documents` that are public articles, in any order. */
  heads(documents: readonly number[]): Answer<readonly FoundHead[]>;
  /** How the texts of those of `documents` begin that are public articles. */
  openings(documents: readonly number[], characters: number): Answer<ReadonlyMap<number, string>>;
  /** Those of `documents` that are public articles, with their texts. */
  articles(documents: readonly number[]): Answer<readonly FoundArticle[]>;
}
