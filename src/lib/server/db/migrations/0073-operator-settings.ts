import { text, type Migration } from '../migration.ts';

/** Settings of environment variables that the operator changes in the console, by group. */
export const operatorSettings: Migration = {
  number: 73,
  sqlite: [
    `create table operator_settings (name text primary key, value text not null) strict, without rowid`,
  ],
  postgres: [
    `create table operator_settings (
      name ${text} constraint operator_settings_name primary key, value ${text} not null
    )`,
  ],
};
