import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { perform } from '../db/perform.ts';
import type { TocItem } from '../../markdown/syntax/headings.ts';
import { fold, isTraditional } from './text/fold.ts';
import { labelsOf, TRADITIONAL, type FoldedDocument } from './text/folded-document.ts';
import type { SearchIndex } from './search.ts';

export interface EntryStore {
  add(trx: Trx, document: number, fields: FoldedDocument): Promise<void>;
  drop(trx: Trx, document: number): Promise<void>;
  dropAll(trx: Trx): Promise<void>;
}

export interface IndexWriter extends Pick<SearchIndex, 'put' | 'remove'> {
  /** Empties the index and invalidates all cached results. */
  clear(trx: Trx): Promise<void>;
}

// Maximum length of indexed headings per article, in UTF-16 units; the text contains all of them too.
const MAX_HEADING_CHARACTERS = 10_000;
// Number of changes kept for updating cached results; readers that missed more search again.
const MAX_STORED_CHANGES = 1_000;

/**
 * Creates a writer that numbers articles, stores their entries in `store` and records each change. Relies on
 * one writer at a time.
 */
export function createIndexWriter(store: EntryStore): IndexWriter {
  return {
    async put(trx, { id, title, tags, username, toc, text, create_time }) {
      const second = Math.floor(create_time / 1000);
      const known = await findDocument(trx, id);
      if (known) await store.drop(trx, known.document);
      const number = known && known.second === second ? known.document : await takeNumber(trx, id, second);
      const names = JSON.parse(tags) as string[];
      const hasForms = [title, ...names, username, text].some(isTraditional);
      await store.add(trx, number, {
        labels: [...labelsOf(names, username), ...(hasForms ? [TRADITIONAL] : [])],
        title: fold(title),
        tags: names.map(fold).join('\n'),
        author: fold(username),
        headings: headingsIn(toc),
        text: fold(text),
      });
      if (known && known.document !== number) await noteChange(trx, known.document);
      await noteChange(trx, number);
    },

    async remove(trx, articleId) {
      const known = await findDocument(trx, articleId);
      if (!known) return;
      await store.drop(trx, known.document);
      await perform(trx, sql`delete from search_documents where document = ${known.document}`);
      await noteChange(trx, known.document);
    },

    async clear(trx) {
      await store.dropAll(trx);
      await sql`delete from search_documents`.execute(trx);
      await noteChange(trx, null);
    },
  };
}

function headingsIn(toc: string): string {
  let room = MAX_HEADING_CHARACTERS;
  const lines: string[] = [];
  for (const { text } of JSON.parse(toc) as Pick<TocItem, 'text'>[]) {
    const line = fold(text).replace(/\s+/gu, ' ').trim();
    room -= line.length;
    if (room < 0) break;
    lines.push(line);
  }
  return lines.join('\n');
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

/** Returns a number: the second of creation, or the next free one. Numbers sort by age and are dense. */
async function takeNumber(trx: Trx, articleId: string, second: number): Promise<number> {
  await perform(trx, sql`delete from search_documents where article_id = ${articleId}`);
  const { rows } = await sql<{ last: number | null }>`
    select max(document) as last from search_documents where second = ${second}`.execute(trx);
  const first = Math.max(second, (rows[0]?.last ?? second - 1) + 1);
  const { rows: free } = await sql<{ number: number }>`
    select document + 1 as number from search_documents as d where document >= ${first}
      and exists (select 1 from search_documents where document = ${first})
      and not exists (select 1 from search_documents as n where n.document = d.document + 1)
    order by document limit 1`.execute(trx);
  const number = free[0]?.number ?? first;
  await perform(
    trx,
    sql`insert into search_documents (document, article_id, second) values (${number}, ${articleId}, ${second})`,
  );
  return number;
}

/** Generations have no gaps, so readers can detect missed changes. */
async function noteChange(trx: Trx, document: number | null): Promise<void> {
  const note = sql`insert into search_changes (generation, document)
    select coalesce(max(generation), 0) + 1, ${document} from search_changes`;
  const outdated = sql`(select max(generation) - ${sql.lit(MAX_STORED_CHANGES)} from search_changes)`;
  await perform(trx, note);
  await perform(trx, sql`delete from search_changes where generation <= ${outdated}`);
}
