import { sql } from 'kysely';
import { picturesIn } from '../../../contract/rules/pictures.ts';
import type { Database, Queryable, Trx } from '../../db/database.ts';
import { among } from '../../db/lists.ts';
import { literal } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema/schema.ts';

export type PicturePlace = 'article' | 'revision' | 'version';

const TABLES = {
  article: { table: 'article_pictures', key: 'article_id' },
  revision: { table: 'revision_pictures', key: 'article_id' },
  version: { table: 'version_pictures', key: 'version_id' },
} as const satisfies Record<PicturePlace, { table: string; key: string }>;

interface Text {
  id: string;
  authorId: string;
  content: string;
  cover: string;
}

/**
 * Records which of its author's uploaded pictures a newly written text shows. Pictures of other authors do
 * not count: a text must not keep another author's picture in use.
 */
export async function putPictureUses(trx: Trx, place: PicturePlace, text: Text): Promise<void> {
  const { table, key } = TABLES[place];
  const [target, column] = [sql.table(table), sql.ref(key)];
  const { rows } = await sql<{ picture: string }>`
    select picture from ${target} where ${column} = ${text.id}`.execute(trx);
  const former = new Set(rows.map(({ picture }) => picture));
  const named = new Set(await ownPictures(trx, picturesIn(text), text.authorId));
  const unused = [...former.difference(named)];
  const added = [...named.difference(former)];
  if (unused.length > 0)
    await sql`delete from ${target} where ${column} = ${text.id} and picture in (${sql.join(unused)})`.execute(
      trx,
    );
  if (added.length > 0) {
    const values = sql.join(added.map((picture) => sql`(${text.id}, ${picture})`));
    await sql`insert into ${target} (${column}, picture) values ${values}`.execute(trx);
  }
}

async function ownPictures(db: Queryable, names: readonly string[], authorId: string): Promise<string[]> {
  const own = db
    .selectFrom('files')
    .select('name')
    .where('owner_id', '=', authorId)
    .where('kind', '=', 'image');
  return (await among(names, (some) => own.where('name', 'in', some))).map(({ name }) => name);
}

const SOURCES = { articles: 'article', revisions: 'revision', versions: 'version' } as const;
/** Texts that are scanned, and that are read, per transaction, so other writes can run in between. */
const SCAN_SIZE = 1_000;
const TEXT_BATCH_SIZE = 50;
const MAY_NAME = '%/api/file/%';

/**
 * Records the uses in texts that were written before uses were stored, in batches; continues after an
 * interruption, and several processes can share the work.
 */
export async function findFormerPictureUses(db: Database): Promise<void> {
  while (await db.write(scanBatch));
}

export async function forgetPictureUses(trx: Trx): Promise<void> {
  await trx.deleteFrom('picture_scans').execute();
  const sources = Object.keys(SOURCES) as Schema['picture_scans']['source'][];
  await trx
    .insertInto('picture_scans')
    .values(sources.map((source) => ({ source, cursor: '' })))
    .execute();
}

async function scanBatch(trx: Trx): Promise<boolean> {
  const scan = await trx.selectFrom('picture_scans').selectAll().limit(literal(1)).executeTakeFirst();
  if (!scan) return false;
  const { texts, next } = await textsAfter(trx, scan);
  for (const text of texts) await putPictureUses(trx, SOURCES[scan.source], text);
  if (next !== null)
    await trx.updateTable('picture_scans').set({ cursor: next }).where('source', '=', scan.source).execute();
  else await trx.deleteFrom('picture_scans').where('source', '=', scan.source).execute();
  return true;
}

const SCANNED = {
  articles: { from: 'article_bodies', id: 'article_id', cover: 'articles.cover' },
  revisions: { from: 'article_revisions', id: 'article_id', cover: 'texts.cover' },
  versions: { from: 'article_versions', id: 'id', cover: 'texts.cover' },
} as const;

/**
 * Returns texts after the cursor that may name a picture, and the cursor after them: null at the end. Looks
 * at a bounded number of texts, because often none names a picture.
 */
async function textsAfter(
  db: Queryable,
  { source, cursor }: Schema['picture_scans'],
): Promise<{ texts: Text[]; next: string | null }> {
  const { from, id, cover } = SCANNED[source];
  const key = sql.ref(`texts.${id}`);
  const texts = sql`${sql.table(from)} as texts`;
  const { rows: ends } = await sql<{ id: string }>`select ${key} as id from ${texts} where ${key} > ${cursor}
    order by ${key} limit 1 offset ${literal(SCAN_SIZE - 1)}`.execute(db);
  const end = ends[0]?.id ?? null;
  const { rows } = await sql<Text>`
    select ${key} as id, articles.author_id as ${sql.ref('authorId')}, texts.content, ${sql.ref(cover)} as cover
    from ${texts} inner join articles on articles.id = texts.article_id
    where ${key} > ${cursor} ${end === null ? sql`` : sql`and ${key} <= ${end}`}
      and (texts.content like ${MAY_NAME} or ${sql.ref(cover)} <> '')
    order by ${key} limit ${literal(TEXT_BATCH_SIZE)}`.execute(db);
  return { texts: rows, next: rows.length < TEXT_BATCH_SIZE ? end : (rows.at(-1)?.id ?? end) };
}

/**
 * Counts stored uses that no text shows, and shown pictures that are not stored. Reads every text that may
 * name a picture, in batches, and writes nothing.
 */
export async function countWrongUses(db: Queryable): Promise<number> {
  let wrong = 0;
  for (const source of Object.keys(SOURCES) as Schema['picture_scans']['source'][]) {
    const { table, key } = TABLES[SOURCES[source]];
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(
      db,
    );
    let unexplained = rows[0]?.total ?? 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const { texts, next }: Awaited<ReturnType<typeof textsAfter>> = await textsAfter(db, {
        source,
        cursor,
      });
      for (const text of texts) {
        const kept = await sql<{ picture: string }>`select picture from ${sql.table(table)}
          where ${sql.ref(key)} = ${text.id}`.execute(db);
        const names = new Set(kept.rows.map(({ picture }) => picture));
        const shown = new Set(await ownPictures(db, picturesIn(text), text.authorId));
        unexplained -= shown.intersection(names).size;
        wrong += shown.difference(names).size;
      }
      cursor = next;
    }
    wrong += unexplained;
  }
  return wrong;
}

/** Deletes uses by texts that name no picture: `findFormerPictureUses` skips those texts. */
export async function dropUnexplainedUses(trx: Trx): Promise<void> {
  const names = sql`(content like ${MAY_NAME} or cover <> '')`;
  await sql`delete from article_pictures where not exists (
    select 1 from article_bodies inner join articles on articles.id = article_bodies.article_id
    where articles.id = article_pictures.article_id and ${names})`.execute(trx);
  await sql`delete from revision_pictures where not exists (
    select 1 from article_revisions where article_revisions.article_id = revision_pictures.article_id and ${names}
    )`.execute(trx);
  await sql`delete from version_pictures where not exists (
    select 1 from article_versions where article_versions.id = version_pictures.version_id and ${names}
    )`.execute(trx);
}
