import { text, type Migration } from '../migration.ts';

const indexes = [
  `create index known_places_last_seen on known_places (last_seen)`,
  `create index users_skeleton on users (skeleton)`,
  `create index users_written_skeleton on users (written_skeleton)`,
  `create index users_skeleton_version on users (skeleton_version)`,
];

/**
 * `known_places`: devices and addresses from which users have signed in. `users.skeleton`,
 * `users.written_skeleton`: common forms of confusable names (users/skeletons.ts), filled at start;
 * `skeleton_version` is the version of their rules. `attempts.free`: when a place that must wait may try
 * again (guard/guess-limits.ts).
 */
export const knownPlaces: Migration = {
  number: 7,
  sqlite: [
    `create table known_places (
      user_id text not null references users (id) on delete cascade, place text not null, last_seen integer not null,
      visits integer not null,
      primary key (user_id, place)
    ) strict, without rowid`,
    `alter table users add column skeleton text not null default ''`,
    `alter table users add column written_skeleton text not null default ''`,
    `alter table users add column skeleton_version integer not null default 0`,
    ...indexes,
  ],
  postgres: [
    `create table known_places (
      user_id ${text} not null references users (id) on delete cascade, place ${text} not null, last_seen bigint not null,
      visits bigint not null,
      constraint known_places_user_id_place primary key (user_id, place)
    )`,
    `alter table users add column skeleton ${text} not null default ''`,
    `alter table users add column written_skeleton ${text} not null default ''`,
    `alter table users add column skeleton_version integer not null default 0`,
    `alter table attempts add column free bigint not null default 0`,
    ...indexes,
  ],
};
