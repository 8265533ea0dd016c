/**
 * Test files that only `npm run test:long` runs, by path relative to tests/: series of killed and
 * interrupted processes, corpora, slow connections and networks, the development server, edge fronts as
 * functions, and browser tests again through an edge front.
 */
export const LONG: readonly string[] = [
  'unit/markdown/corpus.test.ts',
  'engines/backup-killed.test.ts',
  'engines/export-corpus.test.ts',
  'engines/import-corpus.sqlite.test.ts',
  'engines/import-interrupted.test.ts',
  'engines/import-moye-killed.test.ts',
  'engines/import-sites-killed.test.ts',
  'engines/search-corpus.test.ts',
  'engines/move-corpus.postgres.test.ts',
  'engines/search-same.postgres.test.ts',
  'api/far-database.postgres.test.ts',
  'api/slow.test.ts',
  'e2e/dev.test.ts',
  'edge/comments.test.ts',
  'edge/editor.test.ts',
  'edge/functions.test.ts',
  'edge/live.test.ts',
  'edge/profile.test.ts',
  'edge/sign-in.test.ts',
  'edge/stored-xss.test.ts',
];
