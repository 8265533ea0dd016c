import { text, type Migration } from '../migration.ts';

const add = (string: string) => `alter table withheld_items add column words ${string} not null default '[]'`;

/** Listed words that held an item. */
export const heldWords: Migration = { number: 45, sqlite: [add('text')], postgres: [add(text)] };
