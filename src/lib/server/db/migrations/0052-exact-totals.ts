import { text, type Migration } from '../migration.ts';

/** Condition on an article under which `user` does not see it (db/visibility.ts). */
type HiddenFrom = (user: string) => string;

const isHiddenFrom: HiddenFrom = (user) =>
  `articles.is_public = 0 and (articles.author_id <> ${user} or articles.status = 'cancel')`;

const written = (condition: string, hidden = isHiddenFrom) => `
  select comments.author_id, comments.id, comments.article_id, 1 from comments
    inner join articles on articles.id = comments.article_id
    where ${hidden('comments.author_id')} and ${condition}`;
const received = (condition: string, hidden = isHiddenFrom) => `
  select comment_recipients.user_id, comments.id, comments.article_id, 0 from comment_recipients
    inner join comments on comments.id = comment_recipients.comment_id
    inner join articles on articles.id = comments.article_id
    where ${hidden('comment_recipients.user_id')} and ${condition}`;

const add = (rows: string) =>
  `insert into invisible_comments (user_id, comment_id, article_id, is_written) ${rows};`;
const remove = (condition: string) => `delete from invisible_comments where ${condition};`;

interface Trigger {
  name: string;
  on: string;
  when?: string;
  body: string;
}

/** Triggers that depend on which articles are hidden; `columns` of an article decide it. */
export const hidingTriggers = (columns: readonly string[], hidden: HiddenFrom): Trigger[] => [
  {
    name: 'invisible_comments_article',
    on: `update of ${columns.join(', ')} on articles`,
    when: columns.map((column) => `old.${column} <> new.${column}`).join(' or '),
    body:
      remove('article_id = new.id') +
      add(written('comments.article_id = new.id', hidden)) +
      add(received('comments.article_id = new.id', hidden)),
  },
  {
    name: 'invisible_comments_written',
    on: 'insert on comments',
    body: add(written('comments.id = new.id', hidden)),
  },
  {
    name: 'invisible_comments_received',
    on: 'insert on comment_recipients',
    body: add(
      received(
        'comment_recipients.comment_id = new.comment_id and comment_recipients.user_id = new.user_id',
        hidden,
      ),
    ),
  },
];

const triggers: Trigger[] = [
  ...hidingTriggers(['is_public', 'status', 'author_id'], isHiddenFrom),
  {
    name: 'invisible_comments_deleted',
    on: 'delete on comments',
    body: remove('comment_id = old.id'),
  },
  {
    name: 'invisible_comments_unaddressed',
    on: 'delete on comment_recipients',
    body: remove('comment_id = old.comment_id and user_id = old.user_id and is_written = 0'),
  },
];

export const sqliteTrigger = ({ name, on, when, body }: Trigger) =>
  `create trigger ${name} after ${on} ${when ? `when ${when}` : ''} begin ${body} end`;

export const postgresTrigger = ({ name, on, when, body }: Trigger) => [
  `create function ${name} () returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger ${name} after ${on} for each row ${when ? `when (${when})` : ''}
        execute function ${name} ()`,
];

const both = [
  `create index invisible_comments_user on invisible_comments (user_id, is_written)`,
  `create index invisible_comments_article on invisible_comments (article_id)`,
  add(written('1 = 1')),
  add(received('1 = 1')),
  `update series set page_num = (
    select count(*) from articles
    where articles.series = series.id and articles.series <> '' and articles.is_public = 1
  )`,
  `create index series_public on series (id) where page_num > 0`,
  `drop index articles_moderated`,
  `create index articles_moderated on articles (create_time desc, id desc, moderation)
    where moderation <> '' and status = 'normal' and wanted_secret = 0`,
];

/**
 * Lets totals be read from indexes. `invisible_comments` lists the comments that someone has written or
 * received and does not see, because of the state of the article: triggers keep it true. `series.page_num`
 * counts public articles. Lists of moderated articles read an index in their order.
 */
export const exactTotals: Migration = {
  number: 52,
  sqlite: [
    `create table invisible_comments (
      user_id text not null, comment_id text not null, article_id text not null,
      is_written integer not null check (is_written in (0, 1)), primary key (comment_id, user_id, is_written)
    ) strict, without rowid`,
    `alter table series add column page_num integer not null default 0`,
    ...both,
    ...triggers.map(sqliteTrigger),
  ],
  postgres: [
    `create table invisible_comments (
      user_id ${text} not null, comment_id ${text} not null, article_id ${text} not null,
      is_written integer not null check (is_written in (0, 1)),
      constraint invisible_comments_comment_id_user_id_is_written primary key (comment_id, user_id, is_written)
    )`,
    `alter table series add column page_num bigint not null default 0`,
    ...both,
    // SQLite's index contains the primary key by itself.
    `drop index comment_recipients_unread`,
    `create index comment_recipients_unread on comment_recipients (user_id, comment_id) where is_read = 0`,
    ...triggers.flatMap(postgresTrigger),
  ],
};
