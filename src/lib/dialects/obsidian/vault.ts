/** Names that a note can refer to. */
export interface Vault {
  /** Whether the note is in a vault; otherwise only links to known files are Obsidian's. */
  isVault: boolean;
  /** Returns the address of an article by the name of its note, or null. */
  note(name: string): string | null;
  /** Returns the address of any other file by its name, or null. */
  file(name: string): string | null;
  /** Reports a loss as a Chinese sentence, with the line of the text, from 0. */
  lose(line: number, what: string): void;
}
