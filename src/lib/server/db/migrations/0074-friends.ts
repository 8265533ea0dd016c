import { text, type Migration } from '../migration.ts';

const friends = (string: string, integer: string) => `create table friends (
    id ${string} not null, state ${string} not null check (state in ('applied', 'refused', 'shown', 'hidden')),
    name ${string} not null, url ${string} not null, host ${string} not null, description ${string} not null,
    logo ${string} not null, feed ${string} not null, email ${string} not null,
    group_name ${string} not null, position integer not null, create_time ${integer} not null,
    check_due ${integer} not null default 0, check_time ${integer} not null default 0,
    failures integer not null default 0, failing_since ${integer} not null default 0,
    problem ${string} not null default '',
    feed_due ${integer} not null default 0, feed_failures integer not null default 0,
    feed_problem ${string} not null default '', feed_etag ${string} not null default '',
    feed_modified ${string} not null default '', primary key (id)
  )`;

const entries = (string: string, integer: string) => `create table friend_entries (
    id ${string} not null, friend_id ${string} not null references friends (id) on delete cascade,
    title ${string} not null, url ${string} not null, publish_time ${integer} not null, primary key (id)
  )`;

const origins = (string: string, integer: string) => `create table new_origins (
    id ${string} not null, kind ${string} not null check (kind in ('article', 'comment', 'friend')),
    item_id ${string} not null, user_id ${string} not null, username ${string} not null,
    address ${string} not null, create_time ${integer} not null, primary key (id)
  )`;

const indexes = [
  `create index friends_host on friends (host)`,
  `create index friend_entries_time on friend_entries (publish_time, id)`,
  `create index friend_entries_friend_id on friend_entries (friend_id)`,
];

/**
 * Friends and applications of visitors, with the state of their checks; articles of their feeds. The origin
 * of an application can be recorded; SQLite cannot change the constraint of a column.
 */
export const friendLinks: Migration = {
  number: 74,
  sqlite: [
    `${friends('text', 'integer')} strict, without rowid`,
    `${entries('text', 'integer')} strict, without rowid`,
    ...indexes,
    `${origins('text', 'integer')} strict, without rowid`,
    `insert into new_origins select id, kind, item_id, user_id, username, address, create_time from post_origins`,
    `drop table post_origins`,
    `alter table new_origins rename to post_origins`,
    `create index post_origins_time on post_origins (create_time, id)`,
    `create index post_origins_item on post_origins (item_id)`,
    `create index post_origins_username on post_origins (username, create_time desc, id desc)`,
    `create index post_origins_address on post_origins (address, create_time desc, id desc)`,
  ],
  postgres: [
    friends(text, 'bigint'),
    entries(text, 'bigint'),
    ...indexes,
    `alter table post_origins drop constraint post_origins_kind_check`,
    `alter table post_origins add constraint post_origins_kind_check check (kind in ('article', 'comment', 'friend'))`,
  ],
};
