import { sql } from 'kysely';
import type { Database, Trx } from '../../db/database.ts';
import { createIndexWriter } from '../index-writer.ts';
import type { SearchIndex } from '../search.ts';
import { foldDocument, type FoldedDocument } from '../text/folded-document.ts';
import { createSearchThread } from './search-thread.ts';
import { tokenize } from '../text/tokens.ts';

/** Creates the index in FTS5 tables of `db`, stored in `file`. Call `rebuildIfNeeded` before. */
export function createSqliteSearch(db: Database, file: string): SearchIndex {
  if (db.engine !== 'sqlite') throw new Error(`FTS5 search needs SQLite, not ${db.engine}`);
  const { put, remove } = sqliteWriter;
  return { put, remove, ...createSearchThread(file) };
}

export const sqliteWriter = createIndexWriter({
  async add(trx, entries) {
    for (const { document, article } of entries) await insert(trx, document, foldDocument(article));
  },
  async drop(trx, document) {
    await sql`delete from search_heads where rowid = ${document}`.execute(trx);
    await sql`delete from search_whole where rowid = ${document}`.execute(trx);
    await sql`delete from search_entries where document = ${document}`.execute(trx);
  },
  async dropAll(trx) {
    await sql`insert into search_heads (search_heads) values ('delete-all')`.execute(trx);
    await sql`insert into search_whole (search_whole) values ('delete-all')`.execute(trx);
    await sql`delete from search_entries`.execute(trx);
  },
});

async function insert(trx: Trx, document: number, fields: FoldedDocument): Promise<void> {
  const { title, tags, author, headings, text } = fields;
  const labels = fields.labels.join(' ');
  await sql`insert into search_heads (rowid, title, names, headings, labels)
    values (${document}, ${tokenize(title)}, ${tokenize(`${tags}\n${author}`)}, ${tokenize(headings)}, ${labels})`.execute(
    trx,
  );
  const whole = tokenize([title, tags, author, headings, text].join('\n'));
  await sql`insert into search_whole (rowid, tokens) values (${document}, ${`${labels} ${whole}`})`.execute(
    trx,
  );
  await sql`insert into search_entries (document, title, headings) values (${document}, ${title}, ${headings})`.execute(
    trx,
  );
}
