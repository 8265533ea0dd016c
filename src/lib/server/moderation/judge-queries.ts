import { FIELD_NAMES } from '../../contract/rules/authored-fields.ts';
import type { Role } from '../../contract/rules/permissions.ts';
import { MINUTE_MS } from '../../contract/rules/units.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { firstOf, firstValue } from '../db/lists.ts';
import { literal, prepare } from '../db/prepared.ts';
import { listedFor, visibleTo } from '../db/visibility.ts';
import { performing } from '../db/perform.ts';
import type { Flag, Schema } from '../db/schema/schema.ts';

/** A text counts as a repeat once this many other authors have written it. */
const MIN_OTHER_AUTHORS = 2;
/** A new account floods when it already has this many public comments of the last `periodMs`. */
export const FLOOD = { comments: 5, periodMs: 10 * MINUTE_MS } as const;

/** Whether an author has at least `count` public comments. */
export async function hasComments(db: Queryable, authorId: string, count: number): Promise<boolean> {
  const rows = db.selectFrom('comments').select('id').where('author_id', '=', authorId);
  return (await rows.limit(literal(count)).execute()).length >= count;
}

type Asked = {
  authorId: string;
  /** Number of public items that make an author known. */
  approvedFirst: number;
  /** '' if the text is too short to count as a repeat. */
  print: string;
  /** Item that the text belongs to, '' for a new one. */
  itemId: string;
  /** Instant in ms; earlier texts do not count as repeats. */
  since: number;
  /** Instant in ms; earlier comments do not count towards a flood. */
  floodSince: number;
};

const selectFacts = (kind: 'article' | 'comment') =>
  prepare((db, { authorId, approvedFirst, print, itemId, since, floodSince }: Asked) =>
    db.selectNoFrom((eb) => {
      const comments = eb.selectFrom('comments').select('id').where('author_id', '=', authorId);
      const articles = eb
        .selectFrom('articles')
        .select('id')
        .where('author_id', '=', authorId)
        .where(listedFor(null));
      const repeats = eb
        .selectFrom('written_prints')
        .select('item_id as id')
        .where('print', '=', print)
        .where('item_id', '<>', itemId);
      const recent = repeats.where('create_time', '>=', since);
      const newest = comments.where('create_time', '>=', floodSince).where('id', '<>', itemId);
      const parts = {
        shown: kind === 'comment' ? comments.limit(approvedFirst) : articles.limit(approvedFirst),
        others: recent.where('author_id', '<>', authorId).limit(literal(MIN_OTHER_AUTHORS)),
        own: recent.where('author_id', '=', authorId).limit(literal(1)),
        withheld: repeats.where('author_id', '=', authorId).where('is_withheld', '=', 1).limit(literal(1)),
        written: newest.limit(literal(FLOOD.comments)),
      };
      const counted = (name: keyof typeof parts) =>
        eb
          .selectFrom(parts[name].as(name))
          .select(eb.fn.countAll<number>().as('rows'))
          .$asScalar()
          .$notNull()
          .as(name);
      return [counted('shown'), counted('others'), counted('own'), counted('withheld'), counted('written')];
    }),
  );

const FACTS = { article: selectFacts('article'), comment: selectFacts('comment') };

/**
 * Facts about an author and a text, in one statement: comments are judged often, and a comment written
 * meanwhile counts for all facts or for none.
 */
export async function findFacts(db: Queryable, kind: 'article' | 'comment', asked: Asked) {
  const [row] = await FACTS[kind](db, asked);
  if (!row) throw new Error('a select without a table has one row');
  return {
    isNew: row.shown < asked.approvedFirst,
    isOwnRepeat: row.own > 0,
    isRepeat: row.others >= MIN_OTHER_AUTHORS || row.withheld > 0,
    isFlood: row.written >= FLOOD.comments,
  };
}

/** Role of an account; 'author' if it does not exist. */
export const roleOf = async (db: Queryable, id: string): Promise<Role> =>
  (await firstValue(db.selectFrom('users').select('role').where('id', '=', id))) ?? 'author';

export const findShownArticle = (db: Queryable, id: string) =>
  firstOf(
    db
      .selectFrom('articles')
      .innerJoin('article_bodies', 'article_bodies.article_id', 'articles.id')
      .select(['articles.id', 'text', 'html', ...FIELD_NAMES])
      .where('articles.id', '=', id)
      .where(visibleTo(null)),
  );

export type ShownArticle = NonNullable<Awaited<ReturnType<typeof findShownArticle>>>;

export const findShownComment = (db: Queryable, id: string): Promise<string | null> =>
  firstValue(db.selectFrom('comments').select('content').where('id', '=', id));

/** Records the newest item in which an account has a text; a mark as withheld stays. */
export const putPrint = performing((trx, row: Omit<Schema['written_prints'], 'is_withheld'>) =>
  trx
    .insertInto('written_prints')
    .values({ ...row, is_withheld: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['print', 'author_id'])
        .doUpdateSet({ item_id: row.item_id, create_time: row.create_time }),
    ),
);

export async function markPrints(trx: Trx, itemId: string, is_withheld: Flag): Promise<void> {
  await trx.updateTable('written_prints').set({ is_withheld }).where('item_id', '=', itemId).execute();
}

export async function deletePrints(trx: Trx, before: number, withheldBefore: number): Promise<void> {
  await trx
    .deleteFrom('written_prints')
    .where('create_time', '<', before)
    .where((eb) => eb.or([eb('is_withheld', '=', 0), eb('create_time', '<', withheldBefore)]))
    .execute();
}
