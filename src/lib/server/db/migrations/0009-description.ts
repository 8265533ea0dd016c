import { text, type Migration } from '../migration.ts';

const add = (table: string, type: string) =>
  `alter table ${table} add column description ${type} not null default ''`;

export const description: Migration = {
  number: 9,
  sqlite: [add('articles', 'text'), add('article_revisions', 'text')],
  postgres: [add('articles', text), add('article_revisions', text)],
};
