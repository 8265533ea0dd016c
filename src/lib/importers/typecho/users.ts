import type { ForeignUser } from '../site/foreign-site.ts';
import type { ForeignRow } from '../../server/db/foreign/foreign-tables.ts';
import type { TypechoTables } from './tables.ts';

/** Groups of authors; other users get an account with their first comment. */
const WRITERS = new Set(['administrator', 'editor', 'contributor']);

export const userKey = (uid: string): string => `user:${uid}`;

/** Key of a commenter without an account: equal email addresses, or else equal names, are one person. */
export function guestKey({ mail, author }: ForeignRow): string {
  const address = (mail ?? '').trim().toLowerCase();
  return address === '' ? `name:${(author ?? '').trim()}` : `mail:${address}`;
}

export function listUserIds(tables: TypechoTables): Set<string> {
  return new Set(Array.from(tables.rows('users', { columns: ['uid'] }), ({ uid }) => uid ?? ''));
}

export function* usersOf(tables: TypechoTables, known: ReadonlySet<string>): Generator<ForeignUser> {
  for (const row of tables.rows('users', { order: ['uid'] })) yield accountOf(row);
  const missing = new Set<string>();
  for (const { authorId } of tables.rows('contents', { columns: ['authorId'], order: ['authorId'] })) {
    const uid = authorId ?? '0';
    if (known.has(uid) || missing.has(uid)) continue;
    missing.add(uid);
    yield { key: userKey(uid), username: `作者${uid}` };
  }
  const seen = new Set<string>();
  const columns = ['authorId', 'author', 'mail', 'created'];
  for (const row of tables.rows('comments', {
    columns,
    where: { type: 'comment' },
    order: ['created', 'coid'],
  })) {
    const key = guestKey(row);
    if (known.has(row['authorId'] ?? '') || seen.has(key)) continue;
    seen.add(key);
    yield { key, username: (row['author'] ?? '').trim(), isGuest: true, created: instantOf(row['created']) };
  }
}

function accountOf(row: ForeignRow): ForeignUser {
  const { uid, name, screenName, mail, group, created } = row;
  const shown = (screenName ?? '').trim();
  return {
    key: userKey(uid ?? ''),
    username: shown === '' ? (name ?? '') : shown,
    email: mail || undefined,
    created: instantOf(created),
    isGuest: !WRITERS.has(group ?? 'administrator') || undefined,
  };
}

/** Converts Typecho's seconds to milliseconds; undefined if there is no time. */
export function instantOf(seconds: string | null | undefined): number | undefined {
  const value = Number(seconds);
  return Number.isSafeInteger(value) && value > 0 ? value * 1000 : undefined;
}
