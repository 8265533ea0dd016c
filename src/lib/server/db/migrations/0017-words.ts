import type { Migration } from '../migration.ts';

const words = 'alter table article_bodies add column words integer not null default 0';

/** Length of an article, as 字数 counts; 0 until it is rendered. */
export const wordCounts: Migration = { number: 17, sqlite: [words], postgres: [words] };
