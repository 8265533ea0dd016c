import { text, type Migration } from '../migration.ts';

const table = (string: string, integer: string) => `create table moderation_decisions (
    id ${string} not null, kind ${string} not null check (kind in ('article', 'comment')),
    item_id ${string} not null, state ${string} not null check (state in ('shown', 'held', 'hidden', 'deleted')),
    reasons ${string} not null, note ${string} not null, actor_id ${string},
    create_time ${integer} not null, title ${string} not null, content ${string} not null, primary key (id)
  )`;

const index = `create index moderation_decisions_item on moderation_decisions (kind, item_id, create_time desc, id desc)`;

/** Decisions of staff on articles and comments, and the text that the newest one of each item judged. */
export const moderationDecisions: Migration = {
  number: 43,
  sqlite: [`${table('text', 'integer')} strict, without rowid`, index],
  postgres: [table(text, 'bigint'), index],
};
