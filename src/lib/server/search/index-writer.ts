import { sql } from 'kysely';
import type { Database, Trx } from '../db/database.ts';
import { perform } from '../db/perform.ts';
import type { SearchDocument } from '../db/search-documents.ts';

/** An article with the number of its document. */
interface Numbered {
  document: number;
  article: SearchDocument;
}

export interface EntryStore {
  add(trx: Trx, entries: readonly Numbered[]): Promise<void>;
  drop(trx: Trx, document: number): Promise<void>;
  dropAll(trx: Trx): Promise<void>;
  /** Reorganizes the entries after many were added, in its own transactions. */
  settle?(db: Database): Promise<void>;
}

export type IndexWriter = ReturnType<typeof createIndexWriter>;

// Number of changes kept for updating cached results; readers that missed more search again.
const MAX_STORED_CHANGES = 1_000;

/**
 * Creates a writer that numbers articles, stores their entries in `store` and records each change. Relies on
 * one writer at a time.
 */
export function createIndexWriter(store: EntryStore) {
  /** Returns the documents whose entries changed. */
  async function place(trx: Trx, articles: readonly SearchDocument[]): Promise<number[]> {
    const numbers = await createNumbers(trx, articles);
    const entries: Numbered[] = [];
    const changed = new Set<number>();
    for (const article of articles) {
      const known = numbers.known(article.id);
      if (known) await store.drop(trx, known.document);
      const document = await numbers.take(article);
      entries.push({ document, article });
      if (known) changed.add(known.document);
      changed.add(document);
    }
    await numbers.flush();
    await store.add(trx, entries);
    return [...changed];
  }

  return {
    async put(trx: Trx, article: SearchDocument): Promise<void> {
      for (const document of await place(trx, [article])) await noteChange(trx, document);
    },

    /** Adds or updates many articles, and invalidates all cached results. Call `settle` from time to time. */
    async putAll(trx: Trx, articles: readonly SearchDocument[]): Promise<void> {
      if (articles.length === 0) return;
      await place(trx, articles);
      await noteChange(trx, null);
    },

    async remove(trx: Trx, articleId: string): Promise<void> {
      const known = (await findDocuments(trx, [articleId]))[0];
      if (!known) return;
      await store.drop(trx, known.document);
      await perform(trx, sql`delete from search_documents where document = ${known.document}`);
      await noteChange(trx, known.document);
    },

    /** Reorganizes the index after `putAll` has committed. */
    settle: async (db: Database): Promise<void> => store.settle?.(db),

    /** Empties the index and invalidates all cached results. */
    async clear(trx: Trx): Promise<void> {
      await store.dropAll(trx);
      await sql`delete from search_documents`.execute(trx);
      await noteChange(trx, null);
    },
  };
}

interface KnownDocument {
  article_id: string;
  document: number;
  second: number;
}

async function findDocuments(trx: Trx, articleIds: readonly string[]): Promise<KnownDocument[]> {
  const { rows } = await sql<KnownDocument>`
    select article_id, document, second from search_documents where article_id in (${sql.join(articleIds)})`.execute(
    trx,
  );
  return rows;
}

const secondOf = ({ create_time }: SearchDocument): number => Math.floor(create_time / 1000);

/** Assigns numbers to `articles` in their order. Numbers sort by age and are dense. */
async function createNumbers(trx: Trx, articles: readonly SearchDocument[]) {
  const ids = articles.map(({ id }) => id);
  const known = new Map((await findDocuments(trx, ids)).map((row) => [row.article_id, row]));
  const seconds = [...new Set(articles.filter((article) => !isCurrent(article)).map(secondOf))];
  const taken = new Set(seconds.length > 0 ? await takenOf(trx, seconds) : []);
  let pending: { number: number; article: SearchDocument }[] = [];

  function isCurrent(article: SearchDocument): boolean {
    return known.get(article.id)?.second === secondOf(article);
  }

  async function flush(): Promise<void> {
    if (pending.length === 0) return;
    const rows = pending.map(({ number, article }) => sql`(${number}, ${article.id}, ${secondOf(article)})`);
    pending = [];
    await perform(
      trx,
      sql`insert into search_documents (document, article_id, second) values ${sql.join(rows)}`,
    );
  }

  return {
    flush,
    known: (articleId: string): KnownDocument | undefined => known.get(articleId),
    /** Returns the second of creation, or the next free number. */
    async take(article: SearchDocument): Promise<number> {
      const former = known.get(article.id);
      if (former && isCurrent(article)) return former.document;
      if (former) await perform(trx, sql`delete from search_documents where article_id = ${article.id}`);
      const second = secondOf(article);
      if (taken.has(second)) {
        await flush();
        const free = await nextFree(trx, second);
        pending.push({ number: free, article });
        taken.add(free);
        return free;
      }
      pending.push({ number: second, article });
      taken.add(second);
      return second;
    },
  };
}

/** Returns those of `seconds` that are numbers of documents, or seconds of other numbers. */
async function takenOf(trx: Trx, seconds: readonly number[]): Promise<number[]> {
  const list = sql.join(seconds);
  const { rows } = await sql<{ number: number }>`
    select document as number from search_documents where document in (${list})
    union all select second from search_documents where second in (${list})`.execute(trx);
  return rows.map(({ number }) => number);
}

async function nextFree(trx: Trx, second: number): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(document) as last from search_documents where second = ${second}`.execute(trx);
  const first = Math.max(second, (rows[0]?.last ?? second - 1) + 1);
  const { rows: free } = await sql<{ number: number }>`
    select document + 1 as number from search_documents as d where document >= ${first}
      and exists (select 1 from search_documents where document = ${first})
      and not exists (select 1 from search_documents as n where n.document = d.document + 1)
    order by document limit 1`.execute(trx);
  return free[0]?.number ?? first;
}

/** Generations have no gaps, so readers can detect missed changes. */
async function noteChange(trx: Trx, document: number | null): Promise<void> {
  const note = sql`insert into search_changes (generation, document)
    select coalesce(max(generation), 0) + 1, ${document} from search_changes`;
  const outdated = sql`(select max(generation) - ${sql.lit(MAX_STORED_CHANGES)} from search_changes)`;
  await perform(trx, note);
  await perform(trx, sql`delete from search_changes where generation <= ${outdated}`);
}
