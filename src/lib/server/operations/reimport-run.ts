import type { z } from 'zod';
import type { ReinstateService } from '../articles/history/reinstate-service.ts';
import { knownIds } from '../db/lists.ts';
import type { WithheldItemsTable } from '../db/schema/moderation-schema.ts';
import type { ExportFiles } from '../export/export-files.ts';
import { ExportError, LISTS, type Withheld } from '../export/format.ts';
import type { ReimportKind, ReimportOptions, ReimportReport } from '../export/reimport-report.ts';
import type { GuideParts } from '../guides/guide-site.ts';
import type { AppParts } from '../services.ts';
import { HIDDEN_BY_BAN } from '../shared/ban-text.ts';
import { batchesOf } from '../../shared/batches.ts';

const LIST_BATCH_SIZE = 200;

export interface ReimportRun
  extends ReimportOptions, GuideParts, Pick<AppParts, 'uploads' | 'quotas' | 'origins'> {
  reinstate: ReinstateService;
  files: ExportFiles;
  report: ReimportReport;
  users: Map<string, { id: string; username: string }>;
  /** Pictures for thanks, with the id of their user in the export. */
  thanks: Map<string, string>;
  /** The guide account that the import removes; null if it removes none. */
  removedGuides: string | null;
  /** Articles of the export that are on the site, or would be after a dry run. */
  articleIds: Set<string>;
  /** Tags that this run has created, or would have; for hidden ones the creator's id and the name. */
  madeTags: Set<string>;
}

export function lose({ report }: ReimportRun, kind: ReimportKind, what: string, why: string): void {
  report.counts[kind].left++;
  report.losses.push({ what, why });
}

/** Columns of a withheld item. In exports without `by_ban`, the note marks what a ban has hidden. */
export const withheldColumns = ({
  since,
  by_ban,
  ...item
}: Withheld): Omit<WithheldItemsTable, 'kind' | 'id'> => ({
  ...item,
  create_time: Date.parse(since),
  hidden_by_ban: (by_ban ?? item.note === HIDDEN_BY_BAN) ? 1 : 0,
});

/** Yields the entries of a list in batches. @throws ExportError for an invalid entry */
export async function* entriesOf<T>(
  { files, signal }: Pick<ReimportRun, 'files' | 'signal'>,
  path: string,
  schema: z.ZodType<T>,
): AsyncGenerator<T[]> {
  const entries = async function* (): AsyncGenerator<T> {
    let number = 0;
    for await (const line of files.lines(path)) {
      number++;
      const text = line.trim().replace(/,$/, '');
      if (!['', '[', ']', '[]'].includes(text)) yield parse(text, schema, `${path} 的第 ${number} 行`);
    }
  };
  for await (const part of batchesOf(entries(), LIST_BATCH_SIZE)) {
    signal.throwIfAborted();
    yield part;
  }
}

/** Yields the entries of a list that the site lacks; counts the others. @throws as `entriesOf` */
export async function* entriesLacking<T extends { id: string }>(
  run: ReimportRun,
  kind: 'tags' | 'series' | 'comments',
  schema: z.ZodType<T>,
): AsyncGenerator<T[]> {
  for await (const entries of entriesOf(run, LISTS[kind], schema)) {
    const ids = entries.map(({ id }) => id);
    const known = await knownIds(run.db.read, kind, ids);
    run.report.counts[kind].same += ids.filter((id) => known.has(id)).length;
    yield entries.filter(({ id }) => !known.has(id));
  }
}

/** Parses a JSON text of the export. @throws ExportError */
export function parse<T>(text: string, schema: z.ZodType<T>, what: string): T {
  let value: unknown;
  try {
    // PostgreSQL cannot store U+0000; CommonMark replaces it with U+FFFD.
    value = JSON.parse(text, (_, each: unknown) =>
      typeof each === 'string' ? each.replaceAll('\0', '\ufffd') : each,
    );
  } catch {
    throw new ExportError(`${what}读不懂`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new ExportError(`${what}读不懂（${parsed.error.issues[0]?.path.join('.') ?? ''}）`);
  return parsed.data;
}
