import type { Migration } from '../migration.ts';

const DAY_MS = 86_400_000;

const both = [
  `create index comments_created on comments (create_time desc, id desc)`,
  `create index users_created on users (create_time desc, id desc)`,
  `create index articles_moderated on articles (moderation, create_time desc, id desc) where moderation <> ''`,
];

/** Days begin at midnight UTC; `/` rounds towards 0, so the few comments before 1970 count as of that day. */
const addToDay = (row: 'new' | 'old', delta: 1 | -1) => `
  insert into comment_days (day, comment_num) select ${row}.create_time / ${DAY_MS}, ${delta}
    where ${row}.create_time / ${DAY_MS} <= (select max(day) from comment_days)
    on conflict (day) do update set comment_num = comment_days.comment_num + ${delta};`;

const changes = [
  ['insert', 'new', 1],
  ['delete', 'old', -1],
] as const;

/**
 * Indexes for the lists of the console, and the comments of each past day. New comments change no row of
 * `comment_days`, which therefore blocks no writer: staff/overview-service.ts adds days that are over.
 */
export const staffLists: Migration = {
  number: 49,
  sqlite: [
    ...both,
    `create table comment_days (day integer primary key, comment_num integer not null) strict`,
    ...changes.map(
      ([change, row, delta]) =>
        `create trigger comment_days_${change} after ${change} on comments begin ${addToDay(row, delta)} end`,
    ),
  ],
  postgres: [
    ...both,
    `create table comment_days (
      day bigint constraint comment_days_day primary key, comment_num bigint not null
    )`,
    ...changes.flatMap(([change, row, delta]) => [
      `create function comment_days_${change} () returns trigger language plpgsql as
        $$ begin ${addToDay(row, delta)} return null; end $$`,
      `create trigger comment_days_${change} after ${change} on comments
        for each row execute function comment_days_${change} ()`,
    ]),
  ],
};
