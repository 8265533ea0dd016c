import type { Queryable } from '../db/database.ts';
import { toInstant } from '../shared/ids.ts';
import * as commentQueries from './comment-queries.ts';
import * as queries from './export-queries.ts';
import { withheldOf } from './export-run.ts';
import type { Comment, Notification, Reads, Series, Tag, User } from './format.ts';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';

type Whose = queries.Whose;

export async function describeUsers(
  db: Queryable,
  rows: Awaited<ReturnType<typeof queries.namedUsers>>,
  { folders, withAccounts }: { folders: ReadonlyMap<string, string>; withAccounts: boolean },
): Promise<User[]> {
  const ids = rows.map(({ id }) => id);
  const accounts = withAccounts && ids.length > 0 ? await queries.accountsOf(db, ids) : [];
  const accountOf = new Map(accounts.map((row) => [row.id, row]));
  const accountIds = accounts.map((row) => row.id);
  const identities = Map.groupBy(await queries.identitiesOf(db, accountIds), (row) => row.user_id);
  const former = Map.groupBy(await queries.formerNamesOf(db, accountIds), (row) => row.user_id);
  return rows.map(({ create_time, display_name, website, links, thanks, ...row }) => {
    const account = accountOf.get(row.id);
    const folder = folders.get(row.id);
    return {
      ...row,
      ...(display_name === '' ? {} : { display_name }),
      ...(website === '' ? {} : { website }),
      ...(links === '[]' ? {} : { links: JSON.parse(links) as string[] }),
      ...(thanks === '' ? {} : { thanks: thanks.replace(PICTURE_URL, '') }),
      created: toInstant(create_time),
      ...(folder === undefined ? {} : { folder }),
      ...(account
        ? {
            account: {
              ...describeAccount(account, identities.get(row.id) ?? []),
              former_names: (former.get(row.id) ?? []).map(({ name }) => name),
            },
          }
        : {}),
    };
  });
}

function describeAccount(
  row: Awaited<ReturnType<typeof queries.accountsOf>>[number],
  linked: Awaited<ReturnType<typeof queries.identitiesOf>>,
): NonNullable<User['account']> {
  const { password_hash: password, role, banned_until, ban_reason, ban_hides, address, confirmed_time } = row;
  const email =
    address === null || confirmed_time === null ? null : { address, confirmed: toInstant(confirmed_time) };
  const identities = linked.map(({ issuer, subject, name, create_time, last_used }) => ({
    issuer,
    subject,
    name,
    created: toInstant(create_time),
    used: toInstant(last_used),
  }));
  return { password, role, banned_until, ban_reason, ban_hides, email, identities };
}

export async function* tags(db: Queryable, whose: Whose): AsyncGenerator<Tag> {
  for await (const row of paged((after) => queries.tagsAfter(db, after, whose), 'id'))
    yield {
      id: row.id,
      name: row.name,
      description: row.description,
      creator: row.creator_id,
      created: toInstant(row.create_time),
      updated: toInstant(row.update_time),
      is_listed: row.is_listed === 1,
      made_by_name: row.made_by_name === 1,
    };
}

export async function* series(db: Queryable, whose: Whose): AsyncGenerator<Series> {
  for await (const row of paged((after) => queries.seriesAfter(db, after, whose), 'id'))
    yield {
      id: row.id,
      author: row.author_id,
      title: row.title,
      description: row.description,
      cover: row.cover.replace(PICTURE_URL, ''),
      created: toInstant(row.create_time),
      updated: toInstant(row.update_time),
    };
}

export async function* comments(db: Queryable, whose: Whose): AsyncGenerator<Comment> {
  for (let after = ''; ;) {
    const rows = await commentQueries.commentsAfter(db, after, whose);
    if (rows.length === 0) break;
    after = rows.at(-1)?.id ?? after;
    const ids = rows.map(({ id }) => id);
    const found = Map.groupBy(await commentQueries.recipientsOf(db, ids), ({ comment_id }) => comment_id);
    for (const row of rows) {
      const recipients = (found.get(row.id) ?? []).map(({ user_id: user, is_read }) => ({
        user,
        is_read: is_read === 1,
      }));
      yield describeComment(row, recipients, whose);
    }
  }
  const withheld = paged((after) => commentQueries.withheldAfter(db, after, whose), 'id');
  for await (const row of withheld) {
    const marks = JSON.parse(row.recipients) as [string, 0 | 1][];
    const recipients = marks.map(([user, is_read]) => ({ user, is_read: is_read === 1 }));
    yield { ...describeComment(row, recipients, whose), withheld: withheldOf(row, whose === null) };
  }
}

function replyOf(row: commentQueries.CommentRow): Comment['reply_to'] {
  const { reply_user_id: user, reply_name: name, reply_comment_id: comment } = row;
  if (user === null) return null;
  return { user, name: name ?? '', ...(comment === null ? {} : { comment }) };
}

function describeComment(
  row: commentQueries.CommentRow,
  recipients: Comment['recipients'],
  whose: Whose,
): Comment {
  const isOwn = whose === null || row.author_id === whose;
  return {
    id: row.id,
    article: row.article_id,
    title: row.title,
    author: row.author_id,
    author_name: row.author_name,
    content: row.content,
    created: toInstant(row.create_time),
    edited: row.edit_time === null ? null : toInstant(row.edit_time),
    reply_to: replyOf(row),
    quote: row.quote ?? '',
    mentions: row.mentions === '' ? [] : (JSON.parse(row.mentions) as [string, string][]),
    recipients: recipients.filter(({ user }) => whose === null || user === whose),
    ...(isOwn && row.request_id !== null ? { request_id: row.request_id } : {}),
  };
}

export async function* notifications(db: Queryable, whose: Whose): AsyncGenerator<Notification> {
  for await (const row of paged((after) => queries.notificationsAfter(db, after, whose), 'id'))
    yield {
      id: row.id,
      user: row.recipient_id,
      kind: row.kind,
      subject: { kind: row.subject_kind, id: row.subject_id },
      data: JSON.parse(row.data) as Notification['data'],
      created: toInstant(row.create_time),
      read: row.read_time === null ? null : toInstant(row.read_time),
    };
}

/** Friends and applications; the addresses of applicants are account data. */
export async function* friends(db: Queryable, withAccounts: boolean) {
  for (const row of await queries.allFriends(db)) yield withAccounts ? row : { ...row, email: '' };
}

export async function* reads(db: Queryable): AsyncGenerator<Reads> {
  for (const by of ['day', 'month'] as const) {
    for (let after = { article: '', span: 0 }; ;) {
      const rows = await queries.readsAfter(db, by, after);
      const last = rows.at(-1);
      if (!last) break;
      after = last;
      for (const { article, span, reads: count } of rows) yield { article, [by]: span, reads: count };
    }
  }
}

export async function* paged<K extends string, T extends Record<K, string>>(
  next: (after: string) => Promise<T[]>,
  key: K,
): AsyncGenerator<T> {
  for (let after = ''; ;) {
    const rows = await next(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = last[key];
  }
}
