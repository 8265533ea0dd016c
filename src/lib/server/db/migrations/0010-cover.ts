import { text, type Migration } from '../migration.ts';

const add = (table: string, type: string) =>
  `alter table ${table} add column cover ${type} not null default ''`;

export const cover: Migration = {
  number: 10,
  sqlite: [add('articles', 'text'), add('article_revisions', 'text')],
  postgres: [add('articles', text), add('article_revisions', text)],
};
