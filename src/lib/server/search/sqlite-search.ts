import { sql } from 'kysely';
import type { Database, Trx } from '../db/database.ts';
import { fold } from './fold.ts';
import type { SearchDocument, SearchIndex } from './search.ts';
import { SearchThread, type SearchThreadOptions } from './search-thread.ts';
import { tokenize } from './tokens.ts';

// Changes kept for those who follow them; who has missed more finds everything anew.
const CHANGES_KEPT = 1_000;

/** The search index in FTS5 tables of the SQLite database `db`, which lies in `file`. Call `rebuildIfNeeded` before. */
export function createSqliteSearch(
  db: Database,
  file: string,
  options?: Partial<SearchThreadOptions>,
): SearchIndex {
  if (db.engine !== 'sqlite') throw new Error(`FTS5 search needs SQLite, not ${db.engine}`);
  const thread = new SearchThread(file, options);
  return {
    put: putDocument,
    remove: removeDocument,
    search: (query) => thread.run(query),
    close: () => thread.close(),
  };
}

/** `SearchIndex.put`. */
export async function putDocument(trx: Trx, document: SearchDocument): Promise<void> {
  const second = Math.floor(document.createTime / 1000);
  const known = await findDocument(trx, document.articleId);
  if (known) await forget(trx, known.document);
  const number =
    known && known.second === second ? known.document : await takeNumber(trx, document.articleId, second);
  const [title, tags] = [fold(document.title), fold(document.tags.join('\n'))];
  await sql`insert into search_heads (rowid, title, tags) values (${number}, ${tokenize(title)}, ${tokenize(tags)})`.execute(
    trx,
  );
  const whole = `${title}\n${tags}\n${fold(document.text)}`;
  await sql`insert into search_whole (rowid, tokens) values (${number}, ${tokenize(whole)})`.execute(trx);
  if (known && known.document !== number) await noteChange(trx, known.document);
  await noteChange(trx, number);
}

/** `SearchIndex.remove`. */
export async function removeDocument(trx: Trx, articleId: string): Promise<void> {
  const known = await findDocument(trx, articleId);
  if (!known) return;
  await forget(trx, known.document);
  await sql`delete from search_documents where document = ${known.document}`.execute(trx);
  await noteChange(trx, known.document);
}

/** Makes the index forget everything; every result kept anywhere is stale then. */
export async function clearIndex(trx: Trx): Promise<void> {
  await sql`insert into search_heads (search_heads) values ('delete-all')`.execute(trx);
  await sql`insert into search_whole (search_whole) values ('delete-all')`.execute(trx);
  await sql`delete from search_documents`.execute(trx);
  await noteChange(trx, null);
}

interface KnownDocument {
  document: number;
  second: number;
}

async function findDocument(trx: Trx, articleId: string): Promise<KnownDocument | undefined> {
  const { rows } =
    await sql<KnownDocument>`select document, second from search_documents where article_id = ${articleId}`.execute(
      trx,
    );
  return rows[0];
}

async function forget(trx: Trx, document: number): Promise<void> {
  await sql`delete from search_heads where rowid = ${document}`.execute(trx);
  await sql`delete from search_whole where rowid = ${document}`.execute(trx);
}

/**
 * Numbers the article by the second it was created in, so that numbers order articles by age and lie close together. A second that
 * has articles already gives the next free number after theirs.
 */
async function takeNumber(trx: Trx, articleId: string, second: number): Promise<number> {
  await sql`delete from search_documents where article_id = ${articleId}`.execute(trx);
  const { rows } = await sql<{ last: number | null }>`
    select max(document) as last from search_documents where second = ${second}`.execute(trx);
  const first = Math.max(second, (rows[0]?.last ?? second - 1) + 1);
  const { rows: free } = await sql<{ number: number }>`
    select document + 1 as number from search_documents as d where document >= ${first}
      and exists (select 1 from search_documents where document = ${first})
      and not exists (select 1 from search_documents as n where n.document = d.document + 1)
    order by document limit 1`.execute(trx);
  const number = free[0]?.number ?? first;
  await sql`insert into search_documents (document, article_id, second) values (${number}, ${articleId}, ${second})`.execute(
    trx,
  );
  return number;
}

async function noteChange(trx: Trx, document: number | null): Promise<void> {
  const { insertId } = await sql`insert into search_changes (document) values (${document})`.execute(trx);
  await sql`delete from search_changes where generation <= ${Number(insertId) - CHANGES_KEPT}`.execute(trx);
}
