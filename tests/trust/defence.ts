/** A defence, how to switch it off, and the test that must fail without it. */
export interface Defence {
  name: string;
  /** Number of its row in docs/SECURITY.md. */
  row: string;
  file: string;
  /** Must occur exactly once in the file. */
  text: string;
  instead: string;
  /** Test file, and part of the name of the test that must fail. */
  tests: string;
  test: string;
  engine?: 'sqlite' | 'postgres';
}
