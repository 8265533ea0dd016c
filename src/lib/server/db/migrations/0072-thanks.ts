import { text, type Migration } from '../migration.ts';

const add = (type: string) => `alter table users add column thanks ${type} not null default ''`;

/** Pictures that authors show at the end of their articles to be thanked. */
export const thanks: Migration = { number: 72, sqlite: [add('text')], postgres: [add(text)] };
