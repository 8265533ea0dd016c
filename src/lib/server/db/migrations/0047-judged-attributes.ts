import { text, type Migration } from '../migration.ts';

const add = (string: string) =>
  `alter table moderation_decisions add column attributes ${string} not null default ''`;

/** Tags, summary, source and cover of an article as staff judged them. */
export const judgedAttributes: Migration = { number: 47, sqlite: [add('text')], postgres: [add(text)] };
