import { sql, type Kysely, type Transaction } from 'kysely';
import type { Log } from '../shared/log.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema/schema.ts';
import type { Migration } from './migration.ts';
import { blog } from './migrations/0001-blog.ts';
import { search } from './migrations/0002-search.ts';
import { revisions } from './migrations/0003-revisions.ts';
import { moves } from './migrations/0004-moves.ts';
import { attempts } from './migrations/0005-attempts.ts';
import { quotas } from './migrations/0006-quotas.ts';
import { knownPlaces } from './migrations/0007-known-places.ts';
import { quotes } from './migrations/0008-quotes.ts';
import { description } from './migrations/0009-description.ts';
import { cover } from './migrations/0010-cover.ts';
import { trashHistory } from './migrations/0011-trash-history.ts';
import { commentEdits } from './migrations/0012-comment-edits.ts';
import { settings } from './migrations/0013-settings.ts';
import { reads } from './migrations/0014-reads.ts';
import { mentions } from './migrations/0015-mentions.ts';
import { pictureUses } from './migrations/0016-picture-uses.ts';
import { wordCounts } from './migrations/0017-words.ts';
import { discovery } from './migrations/0018-discovery.ts';
import { searchNames } from './migrations/0019-search-names.ts';
import { ways } from './migrations/0020-ways.ts';
import { archive } from './migrations/0021-archive.ts';
import { staff } from './migrations/0022-staff.ts';
import { accountSafety } from './migrations/0023-account-safety.ts';
import { notices } from './migrations/0024-notices.ts';
import { bans } from './migrations/0025-bans.ts';
import { invitations } from './migrations/0026-invitations.ts';
import { moderation } from './migrations/0027-moderation.ts';
import { backups } from './migrations/0030-backups.ts';
import { formerPaths } from './migrations/0031-former-paths.ts';
import { importsSource } from './migrations/0032-imports-source.ts';
import { tagAliases } from './migrations/0034-tag-aliases.ts';
import { printsOfItems } from './migrations/0037-prints-of-items.ts';
import { quoteReferences } from './migrations/0038-quote-references.ts';
import { formerNames } from './migrations/0039-former-names.ts';
import { tagsMadeByName } from './migrations/0040-tags-made-by-name.ts';
import { pictureVariants } from './migrations/0041-picture-variants.ts';
import { hiddenByBan } from './migrations/0042-hidden-by-ban.ts';
import { moderationDecisions } from './migrations/0043-moderation-decisions.ts';
import { pendingChanges } from './migrations/0044-pending-changes.ts';
import { heldWords } from './migrations/0045-held-words.ts';
import { postOrigins } from './migrations/0046-post-origins.ts';
import { judgedAttributes } from './migrations/0047-judged-attributes.ts';
import { originIndexes } from './migrations/0048-origin-indexes.ts';
import { staffLists } from './migrations/0049-staff-lists.ts';
import { searchSegments } from './migrations/0050-search-segments.ts';
import { accessTokens } from './migrations/0051-access-tokens.ts';
import { exactTotals } from './migrations/0052-exact-totals.ts';
import { syncedFiles } from './migrations/0053-synced-files.ts';
import { contentWebhooks } from './migrations/0054-content-webhooks.ts';
import { ownWebhooks } from './migrations/0055-own-webhooks.ts';
import { identities } from './migrations/0056-identities.ts';
import { displayNames } from './migrations/0057-display-names.ts';
import { keptNames } from './migrations/0058-kept-names.ts';
import { fileRevisions } from './migrations/0059-file-revisions.ts';
import { displaySkeletons } from './migrations/0060-display-skeletons.ts';
import { wordExceptions } from './migrations/0061-word-exceptions.ts';

/** All migrations, in order. The statements of a released number never change. */
export const MIGRATIONS: readonly Migration[] = [
  blog,
  search,
  revisions,
  moves,
  attempts,
  quotas,
  knownPlaces,
  quotes,
  description,
  cover,
  trashHistory,
  commentEdits,
  settings,
  reads,
  mentions,
  pictureUses,
  wordCounts,
  discovery,
  searchNames,
  ways,
  archive,
  staff,
  accountSafety,
  notices,
  bans,
  invitations,
  moderation,
  backups,
  formerPaths,
  importsSource,
  tagAliases,
  printsOfItems,
  quoteReferences,
  formerNames,
  tagsMadeByName,
  pictureVariants,
  hiddenByBan,
  moderationDecisions,
  pendingChanges,
  heldWords,
  postOrigins,
  judgedAttributes,
  originIndexes,
  staffLists,
  searchSegments,
  accessTokens,
  exactTotals,
  syncedFiles,
  contentWebhooks,
  ownWebhooks,
  identities,
  displayNames,
  keptNames,
  fileRevisions,
  displaySkeletons,
  wordExceptions,
];

export const NEWEST_VERSION = MIGRATIONS.at(-1)?.number ?? 0;

export const migrationsTo = (version: number): readonly Migration[] =>
  MIGRATIONS.filter(({ number }) => number <= version);

export class NewerDatabaseError extends Error {
  constructor(found: number, known: number) {
    super(
      `database schema is version ${found}, this version of Moye knows ${known}: start the newer version`,
    );
    this.name = 'NewerDatabaseError';
  }
}

const SILENT = { info: () => {} };

type Write = <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>;

/**
 * Migrates the database to the newest schema. Each step is a transaction that first reads the version under
 * the write lock, so two processes that start together run each step once.
 * @param log receives a line for each step that this process has run
 * @throws NewerDatabaseError
 */
export async function migrate(
  engine: Database['engine'],
  write: Write,
  steps: readonly Migration[] = MIGRATIONS,
  log: Pick<Log, 'info'> = SILENT,
): Promise<void> {
  const newest = steps.at(-1)?.number ?? 0;
  for (;;) {
    const done = await write(async (trx) => {
      const current = await readVersion(trx);
      if (current > newest) throw new NewerDatabaseError(current, newest);
      const step = steps.find((candidate) => candidate.number > current);
      if (!step) return null;
      for (const statement of step[engine]) await sql.raw(statement).execute(trx);
      await sql`update schema_version set version = ${step.number}`.execute(trx);
      return { from: current, to: step.number };
    });
    if (!done) return;
    log.info(done, 'database migrated');
  }
}

async function readVersion(db: Kysely<Schema>): Promise<number> {
  await sql`create table if not exists schema_version (version integer not null)`.execute(db);
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(db);
  if (rows[0]) return rows[0].version;
  await sql`insert into schema_version (version) values (0)`.execute(db);
  return 0;
}
