import { text, type Migration } from '../migration.ts';

const savedBy = (table: string, type: string) =>
  `alter table ${table} add column saved_by ${type} not null default ''`;

/**
 * How often an article is read on a day (of the site's time zone, as days since the epoch), its total beside
 * it in `articles`, so that lists sort by it; and which device saved a text last.
 */
export const reads: Migration = {
  number: 14,
  sqlite: [savedBy('articles', 'text'), savedBy('article_revisions', 'text')],
  postgres: [savedBy('articles', text), savedBy('article_revisions', text)],
};
