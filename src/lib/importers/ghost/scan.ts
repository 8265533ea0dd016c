import { z } from 'zod';
import { jsonOf } from '../json-rows.ts';
import type { ForeignEntry, ForeignFriend } from '../site/foreign-site.ts';
import type { ExportFile } from './export-file.ts';
import { readTables } from './rows.ts';

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export type Index = Awaited<ReturnType<typeof scan>>;

/** Reads an export completely, to verify it before anything is written. @throws Problem */
export async function scan(file: ExportFile) {
  const index = {
    users: new Map<string, ReturnType<typeof userOf>>(),
    tags: new Map<string, ReturnType<typeof tagOf>>(),
    postTags: new Map<string, Sorted[]>(),
    postAuthors: new Map<string, Sorted[]>(),
    descriptions: new Map<string, string>(),
    /** Identifies the site, even if its content changes. */
    identity: '',
    pages: 0,
    navigation: [] as ForeignEntry[],
    friends: [] as ForeignFriend[],
    rows: new Map<string, number>(),
  };
  const oldest = { created: Infinity, uuid: '' };
  for await (const { table, row } of readTables(file.json())) {
    if (table === 'users') index.users.set(text(row['id']), userOf(row));
    else if (table === 'tags') index.tags.set(text(row['id']), tagOf(row));
    else if (table === 'posts_tags') attach(index.postTags, row, 'tag_id');
    else if (table === 'posts_authors') attach(index.postAuthors, row, 'author_id');
    else if (table === 'posts_meta')
      index.descriptions.set(text(row['post_id']), text(row['meta_description']));
    else if (table === 'settings') {
      const key = text(row['key']);
      if (/^(?:site_uuid|db_hash)$/.test(key)) index.identity ||= text(row['value']);
      if (key === 'navigation') index.navigation.unshift(...entriesOf(row['value'], 'header'));
      if (key === 'secondary_navigation') index.navigation.push(...entriesOf(row['value'], 'footer'));
    } else if (table === 'recommendations') index.friends.push(friendOf(row));
    else if (table === 'posts') {
      if (isPage(row)) index.pages += 1;
      const created = instantOf(row['created_at']) ?? Infinity;
      if (created < oldest.created)
        Object.assign(oldest, { created, uuid: text(row['uuid']) || text(row['id']) });
    } else index.rows.set(table, (index.rows.get(table) ?? 0) + 1);
  }
  index.identity ||= oldest.uuid;
  return index;
}

/** @param value a JSON list of `label` and `url` */
function entriesOf(value: unknown, place: ForeignEntry['place']): ForeignEntry[] {
  const { data = [] } = navigationShape.safeParse(jsonOf(text(value)));
  return data.map(({ label, url }) => ({
    text: label,
    place,
    target: { address: url.replace('__GHOST_URL__', '') },
  }));
}

const navigationShape = z.array(z.object({ label: z.string(), url: z.string() }));

const friendOf = (row: Record<string, unknown>): ForeignFriend => ({
  name: text(row['title']),
  address: text(row['url']),
  description: text(row['description']) || text(row['reason']) || text(row['excerpt']) || undefined,
  logo: text(row['favicon']) || text(row['featured_image']) || undefined,
});

interface Sorted {
  id: string;
  order: number;
}

function attach(map: Map<string, Sorted[]>, row: Record<string, unknown>, name: string): void {
  const post = text(row['post_id']);
  const entry = { id: text(row[name]), order: Number(row['sort_order'] ?? 0) };
  map.set(
    post,
    [...(map.get(post) ?? []), entry].toSorted((a, b) => a.order - b.order),
  );
}

const userOf = (row: Record<string, unknown>) => ({
  id: text(row['id']),
  name: text(row['name']),
  slug: text(row['slug']),
  email: text(row['email']),
  bio: text(row['bio']),
  avatar: text(row['profile_image']) || text(row['image']),
  created: instantOf(row['created_at']),
});

const tagOf = (row: Record<string, unknown>) => ({
  name: text(row['name']),
  description: text(row['description']),
  isInternal: row['visibility'] === 'internal' || text(row['name']).startsWith('#'),
  created: instantOf(row['created_at']),
});

/** Whether a post is a page; old versions have a boolean instead of a type. */
export const isPage = ({ type, page }: Record<string, unknown>): boolean =>
  type === 'page' || page === true || page === 1;

/** Returns milliseconds; Ghost writes dates as text, and older versions as numbers. */
export function instantOf(value: unknown): number | undefined {
  const instant =
    typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(zoned(value)) : NaN;
  return Number.isFinite(instant) ? instant : undefined;
}

/** `2020-01-02 03:04:05` is a time of the database, in UTC. */
const zoned = (date: string): string =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date) ? `${date.replace(' ', 'T')}Z` : date;
