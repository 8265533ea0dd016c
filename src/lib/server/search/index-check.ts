import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { countUnlisted } from './postgres/check.ts';
import { FOUND } from '../db/search-documents.ts';
import { INDEX_VERSION } from './text/tokens.ts';

/** Compares the index with the articles that readers find; on PostgreSQL, `read` must be a snapshot. */
export async function countIndexFaults({ engine, read }: Pick<Database, 'engine' | 'read'>) {
  const count = async (condition: ReturnType<typeof sql>): Promise<number> => {
    const { rows } = await sql<{ total: number }>`select count(*) as total ${condition}`.execute(read);
    return rows[0]?.total ?? 0;
  };
  const missing = await count(sql`from articles a where ${FOUND} and not exists (
    select 1 from search_documents inner join search_entries on search_entries.document = search_documents.document
    where search_documents.article_id = a.id)`);
  const strays = await count(sql`from search_documents where not exists (
    select 1 from articles a where a.id = search_documents.article_id and ${FOUND})`);
  const entries = await count(sql`from search_entries where not exists (
    select 1 from search_documents where search_documents.document = search_entries.document)`);
  const stale = await count(sql`from search_state where version <> ${INDEX_VERSION}`);
  const listed = engine === 'postgres' ? await countUnlisted(read) : { missing: 0, orphaned: 0 };
  return {
    missing: missing + listed.missing,
    orphaned: strays + entries + listed.orphaned,
    isStale: stale > 0,
  };
}
