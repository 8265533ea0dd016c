import type { ReadFields } from '../../../contract/calls/review-calls.ts';
import type { ModerationState } from '../../../contract/moderation-moves.ts';
import {
  allFields,
  FIELD_NAMES,
  fieldsFromColumns,
  type Authored,
} from '../../../contract/rules/authored-fields.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Queryable } from '../../db/database.ts';
import { among } from '../../db/lists.ts';
import { hashOf } from '../../shared/seal.ts';
import { findChanges } from './change-queries.ts';
import { findWithheld } from '../withheld-queries.ts';
import { idsIn } from '../../shared/ids.ts';

type Kind = 'article' | 'comment';

/** An item with everything that its author can change and a reader can see, now or after a decision. */
export interface ReadItem<Fields = ReadFields | Commented> {
  state: ModerationState;
  fields: Fields;
  /** The fields after approval of the change that waits; null if none waits. */
  change: Fields | null;
  /** Beginning of an article in lists; '' for a comment. */
  summary: string;
  /** Digest of the text, and the state. Equal versions look equal to readers, whatever is decided. */
  version: string;
}
type Commented = Pick<Authored, 'content'>;

/** Version of a row that changed while it was read; no decision can name it. */
const STALE = 'stale';
const SEPARATOR = '.';

const versionOf = (state: ModerationState, ...text: readonly unknown[]): string =>
  hashOf(JSON.stringify(text)).slice(0, 40) + SEPARATOR + state;

/**
 * Refuses with VERSION_CHANGED unless staff has read the current version; the sentence says whether the text
 * or only the state is another one.
 */
export function requireVersion(current: string, read: string): void {
  if (current === read) return;
  const isSameText = current.split(SEPARATOR)[0] === read.split(SEPARATOR)[0];
  refuse('VERSION_CHANGED', isSameText ? { text: '已经有人处理过这一项，请看过现在的状态再决定' } : {});
}

async function stateAndChange<Fields>(db: Queryable, kind: Kind, ids: readonly string[]) {
  const withheld = await findWithheld(db, kind, ids);
  const changes = await findChanges(db, kind, ids);
  return (id: string) => {
    const change = changes.get(id);
    return {
      state: withheld.get(id)?.state ?? ('shown' as const),
      submitted: change?.state === 'held' ? (JSON.parse(change.fields) as Partial<Fields>) : null,
    };
  };
}

/** Articles by id, regardless of who may see them. */
export async function findArticles(db: Queryable, ids: readonly string[]) {
  const articles = db
    .selectFrom('articles')
    .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
    .select(FIELD_NAMES)
    .select(['articles.id', 'type', 'status', 'moderation', 'wanted_secret', 'summary']);
  const rows = await among(ids, (some) => articles.where('articles.id', 'in', some));
  const found = await stateAndChange<ReadFields>(db, 'article', ids);
  return new Map(
    rows.map((row): [string, ReadItem<ReadFields>] => {
      const { id, type, status, summary } = row;
      const { state, submitted } = found(id);
      const secret = row.moderation === '' ? row.secret : row.wanted_secret;
      const fields = { ...allFields(fieldsFromColumns({ ...row, secret }, FIELD_NAMES)), type };
      // An extra field that was not submitted stays as it is.
      const change = submitted && {
        ...allFields(Object.fromEntries(FIELD_NAMES.map((name) => [name, submitted[name] ?? fields[name]]))),
        type: submitted.type ?? type,
      };
      return [id, { state, fields, change, summary, version: versionOf(state, status, fields, change) }];
    }),
  );
}

/** Comments by id, also those that readers do not see. */
export async function findComments(db: Queryable, ids: readonly string[]) {
  const items = new Map<string, ReadItem<Commented>>();
  const found = await stateAndChange<Commented>(db, 'comment', ids);
  for (const table of ['comments', 'withheld_comments'] as const) {
    const comments = db.selectFrom(`${table} as comments` as 'comments').select(['id', 'content']);
    const rows = await among(ids, (some) => comments.where('id', 'in', some));
    for (const { id, content } of rows) {
      const { state, submitted } = found(id);
      const fields = { content };
      const change = submitted && { content: submitted.content ?? content };
      items.set(id, { state, fields, change, summary: '', version: versionOf(state, fields, change) });
    }
  }
  return items;
}

const readersOf = { article: findArticles, comment: findComments };

/** Current version of an item; null if it does not exist. */
export async function findVersion(db: Queryable, kind: Kind, id: string): Promise<string | null> {
  return (await readersOf[kind](db, [id])).get(id)?.version ?? null;
}

/** Row of a list, with the texts that it shows. */
interface ShownRow extends Partial<Pick<ReadFields, 'title' | 'content'>> {
  id: string;
  summary?: string;
}

/** Versions of rows by id; '' for an item that does not exist. */
export async function versionsOf(db: Queryable, kind: Kind, rows: readonly ShownRow[]) {
  const items: ReadonlyMap<string, ReadItem<Commented & { title?: string }>> = await readersOf[kind](
    db,
    idsIn(rows),
  );
  return new Map(
    rows.map(({ id, ...shown }) => {
      const item = items.get(id);
      const current: Omit<ShownRow, 'id'> = { ...item?.fields, summary: item?.summary ?? '' };
      const isShown = Object.entries(shown).every(
        ([name, text]) => current[name as keyof typeof current] === text,
      );
      return [id, !item ? '' : isShown ? item.version : STALE] as const;
    }),
  );
}
