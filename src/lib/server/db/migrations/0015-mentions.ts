import { text, type Migration } from '../migration.ts';

const column = (type: string) => `alter table comments add column mentions ${type} not null default ''`;

/** Users mentioned in a comment: a JSON list of `[id, name]`, or ''. */
export const mentions: Migration = {
  number: 15,
  sqlite: [column('text')],
  postgres: [column(text)],
};
