import { text, type Migration } from '../migration.ts';

const statements = (string: string) => [
  `alter table written_prints add column item_id ${string} not null default ''`,
  `alter table written_prints add column is_withheld integer not null default 0 check (is_withheld in (0, 1))`,
  `create index written_prints_item on written_prints (item_id)`,
  // Staff deleted these, and their authors have restored them since.
  `update withheld_items set state = 'hidden' where kind = 'article' and state = 'deleted'
    and id not in (select article_id from trash)`,
];

/** Fingerprints of texts reference the item with the text, and record whether it was withheld. */
export const printsOfItems: Migration = {
  number: 37,
  sqlite: statements('text'),
  postgres: statements(text),
};
