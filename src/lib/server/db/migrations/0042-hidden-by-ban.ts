import type { Migration } from '../migration.ts';

const statements = [
  `alter table withheld_items add column hidden_by_ban integer not null default 0 check (hidden_by_ban in (0, 1))`,
  // Until now, the note was the mark.
  `update withheld_items set hidden_by_ban = 1 where state = 'hidden' and note = '账号被封禁期间隐藏'`,
];

/** Items that a ban has hidden, which its end restores. */
export const hiddenByBan: Migration = { number: 42, sqlite: statements, postgres: statements };
