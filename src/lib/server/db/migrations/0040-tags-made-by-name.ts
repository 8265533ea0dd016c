import type { Migration } from '../migration.ts';

const both = [
  `alter table tags add column made_by_name integer not null default 0 check (made_by_name in (0, 1))`,
  // The origin of older tags is not stored; only a tag made by its name could have a description.
  `update tags set made_by_name = 1 where is_listed = 1 and description <> ''`,
];

/** Marks tags that were created by name, not by saving an article. */
export const tagsMadeByName: Migration = { number: 40, sqlite: both, postgres: both };
