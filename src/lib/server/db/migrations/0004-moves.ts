import { text, type Migration } from '../migration.ts';

/** `moves`: where rows come from, while `moye move` has not brought all (db/move-rows.ts). */
export const moves: Migration = {
  number: 4,
  sqlite: [`create table moves (source text not null) strict`],
  postgres: [`create table moves (source ${text} not null)`],
};
