import { text, type Migration } from '../migration.ts';

/** `moves`: the source of the rows while `moye move` is unfinished (db/move-rows.ts). */
export const moves: Migration = {
  number: 4,
  sqlite: [`create table moves (source text not null) strict`],
  postgres: [`create table moves (source ${text} not null)`],
};
