import { text, type Migration } from '../migration.ts';

const column = (type: string) => `alter table comments add column mentions ${type} not null default ''`;

export const mentions: Migration = {
  number: 15,
  sqlite: [column('text')],
  postgres: [column(text)],
};
