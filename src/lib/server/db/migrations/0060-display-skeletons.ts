import { text, type Migration } from '../migration.ts';

const columns = (string: string) => [
  `alter table users add column display_skeleton ${string} not null default ''`,
  `alter table users add column written_display_skeleton ${string} not null default ''`,
  `create index users_display_skeleton on users (display_skeleton)`,
  `create index users_written_display_skeleton on users (written_display_skeleton)`,
];

/** Common forms of confusable display names, filled at start like those of usernames (migration 7). */
export const displaySkeletons: Migration = {
  number: 60,
  sqlite: columns('text'),
  postgres: columns(text),
};
