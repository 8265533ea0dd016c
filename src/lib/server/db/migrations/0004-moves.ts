import type { Migration } from '../migration.ts';
import { text } from './postgres-text.ts';

/** `moves`: where rows come from, while `moye move` has not brought all (db/move-mark.ts). */
export const moves: Migration = {
  number: 4,
  sqlite: [`create table moves (source text not null) strict`],
  postgres: [`create table moves (source ${text} not null)`],
};
