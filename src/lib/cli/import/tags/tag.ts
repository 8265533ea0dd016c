/** A generator's tag, with what it encloses. */
export interface Tag {
  name: string;
  /** Everything behind the name, without white space around it. */
  source: string;
  /** The words of `source`, and its `name=value` pairs. */
  words: readonly string[];
  named: ReadonlyMap<string, string>;
  /** The markdown between it and its end, translated; undefined where it has no end. */
  inner: string | undefined;
  /** The same as written in the file. */
  raw: string | undefined;
  /** Of the file, from 1. */
  line: number;
}

/** What stands for a tag: text within a line, or lines of their own. */
export type Written = string | { block: string };

/** Writes a tag as markdown; null where it does not know such a one. */
export type Translator = (tag: Tag, site: Site) => Written | null;

export type Translators = Readonly<Record<string, Translator>>;

/** What a tag may ask of the site that is imported. */
export interface Site {
  /**
   * Where an article is that a tag names by its file, its path or its old name.
   * @returns its new address and its title; null where there is none such
   */
  post(name: string): { address: string; title: string } | null;
  /** The text of a file of code, named as `include_code` does; null where it cannot be had. */
  code(path: string): string | null;
  /** Notes a loss, a Chinese sentence, with the line of the file. */
  lose(line: number, what: string): void;
}

/** The first of `names` that the tag gives a value, or the empty string. */
export const valueOf = ({ named }: Tag, ...names: string[]): string =>
  names.map((name) => named.get(name)).find((value) => value !== undefined && value !== '') ?? '';

/** The value of the first of `names`, or the word at `index`. */
export const valueOrWord = (tag: Tag, index: number, ...names: string[]): string =>
  valueOf(tag, ...names) || (tag.named.size === 0 ? (tag.words[index] ?? '') : '');
