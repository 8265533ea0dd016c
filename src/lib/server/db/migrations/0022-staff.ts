import { text, type Migration } from '../migration.ts';

const UNCHANGEABLE = 'audit_log cannot be changed';

const role = (type: string) =>
  `alter table users add column role ${type} not null default 'author' check (role in ('author', 'editor', 'operator'))`;

const both = [
  `create index users_staff on users (role) where role <> 'author'`,
  `create index audit_log_newest on audit_log (create_time desc, id desc)`,
];

export const staff: Migration = {
  number: 22,
  sqlite: [
    role('text'),
    `create table site_options (name text primary key, value text not null) strict, without rowid`,
    `create table audit_log (
      id text primary key, create_time integer not null, actor_id text, actor_name text not null,
      action text not null, subject_kind text not null, subject_id text not null,
      before text not null, after text not null
    ) strict`,
    ...['update', 'delete'].map(
      (change) => `create trigger audit_log_no_${change} before ${change} on audit_log
        begin select raise(abort, '${UNCHANGEABLE}'); end`,
    ),
    `create table operator_links (hash text primary key, expire_time integer not null) strict, without rowid`,
    ...both,
  ],
  postgres: [
    role(text),
    `create table site_options (name ${text} constraint site_options_name primary key, value ${text} not null)`,
    `create table audit_log (
      id ${text} constraint audit_log_id primary key, create_time bigint not null, actor_id ${text},
      actor_name ${text} not null, action ${text} not null, subject_kind ${text} not null,
      subject_id ${text} not null, before ${text} not null, after ${text} not null
    )`,
    `create function refuse_audit_change() returns trigger language plpgsql as
      $$ begin raise exception '${UNCHANGEABLE}'; end $$`,
    `create trigger audit_log_unchanged before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_change()`,
    `create table operator_links (
      hash ${text} constraint operator_links_hash primary key, expire_time bigint not null
    )`,
    ...both,
  ],
};
