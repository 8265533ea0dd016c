/** A defence, how it is switched off, and the test that must notice. */
export interface Defence {
  name: string;
  /** Row of docs/SECURITY.md: its number, or words of its threat. */
  row: string;
  file: string;
  /** Stands once in the file. */
  text: string;
  instead: string;
  /** File of tests, and a part of the name of the one that must fail. */
  tests: string;
  test: string;
  engine?: 'sqlite' | 'postgres';
}
