import type { Migration } from '../migration.ts';

const index = `create index comments_quoted on comments (article_id, author_id, length(content))`;

/** Finds the comment that a reply quotes among those of its author under the article. */
export const quotes: Migration = { number: 8, sqlite: [index], postgres: [index] };
