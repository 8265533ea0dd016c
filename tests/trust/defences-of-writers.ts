import type { Defence } from './defence.ts';

/** Rules that hold where public texts are written. */
export const writerDefences: readonly Defence[] = [
  {
    name: 'the word check of series',
    row: '86',
    file: 'src/lib/server/articles/series/series-service.ts',
    text: "const fields = await texts.requireClean('series', typed, viewer);\n      const series",
    instead:
      "const fields = await texts.requireClean('series', typed, { isUnlimited: true });\n      const series",
    tests: 'tests/api/public-writers.test.ts',
    test: 'is refused by file syncedFilePut in series.title with a listed word',
  },
  {
    name: 'the review of changed settings',
    row: '86',
    file: 'src/lib/server/articles/core/amend.ts',
    text: 'const isSubmitted = judgement.mustReview &&',
    instead: 'const isSubmitted = judgement.mustReview === null &&',
    tests: 'tests/api/public-writers.test.ts',
    test: 'changed by call articleSettings in article.tags waits for staff',
  },
  {
    name: 'the judgement of published drafts',
    row: '86',
    file: 'src/lib/server/articles/core/article-save.ts',
    text: '      judgement,\n    );',
    instead: '      { ...judgement, reasons: [] },\n    );',
    tests: 'tests/api/public-writers.test.ts',
    test: 'by method mt.publishPost with article.content waits for staff where all do',
  },
  {
    name: 'the record of origins in the transaction of an article',
    row: '87',
    file: 'src/lib/server/articles/core/article-save.ts',
    text: "await origins.note(trx, 'article', id, author);",
    instead: '',
    tests: 'tests/api/public-writers.test.ts',
    test: 'by call articleSettings with article.content is public without rules, and its origin recorded',
  },
  {
    name: 'the record of imported comments',
    row: '87',
    file: 'src/lib/server/comments/foreign-comments.ts',
    text: "await origins.note(trx, 'comment', id, { id: authorId, origin: 'import' });",
    instead: '',
    tests: 'tests/engines/command-writers.test.ts',
    test: 'by import typecho are recorded as imported',
  },
];
