import { text, type Migration } from '../migration.ts';

const column = (type: string) => `alter table comments add column mentions ${type} not null default ''`;

/** Whom a comment mentions: a JSON list of `[id, name]`, or the empty string for nobody. */
export const mentions: Migration = {
  number: 15,
  sqlite: [column('text')],
  postgres: [column(text)],
};
