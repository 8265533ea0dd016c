export interface Tag {
  name: string;
  source: string;
  words: readonly string[];
  named: ReadonlyMap<string, string>;
  /** Its content as translated markdown; undefined without an end tag. */
  inner: string | undefined;
  raw: string | undefined;
  /** Line of the file, from 1. */
  line: number;
}

/** Replacement of a tag: inline text, or a block. */
export type Written = string | { block: string };

/** Writes a tag as markdown; null if it does not understand the tag. */
export type Translator = (tag: Tag, site: Site) => Written | null;

export type Translators = Readonly<Record<string, Translator>>;

/** Returns a table in which each of the space-separated names has the same value. */
export const aliases = <V>(names: string, value: V): Record<string, V> =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

export interface Site {
  /**
   * Finds the article that a tag names by file, path or old name.
   * @returns its new address and title; null if there is no such article
   */
  post(name: string): { address: string; title: string } | null;
  /** Returns a code file, named as in `include_code`; null if it is unavailable. */
  code(path: string): string | null;
  /** Reports a loss as a Chinese sentence, with the line of the file. */
  lose(line: number, what: string): void;
}

export const valueOf = ({ named }: Tag, ...names: string[]): string =>
  names.map((name) => named.get(name)).find((value) => value !== undefined && value !== '') ?? '';

/** Returns the first value among `names`; if the tag has no named values, the word at `index`. */
export const valueOrWord = (tag: Tag, index: number, ...names: string[]): string =>
  valueOf(tag, ...names) || (tag.named.size === 0 ? (tag.words[index] ?? '') : '');
