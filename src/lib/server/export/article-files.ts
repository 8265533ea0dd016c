import { allFields, FIELD_NAMES, fieldsFromColumns } from '../../contract/rules/authored-fields.ts';
import { toMarkdownFile, type FrontMatterValue } from '../../shared/write-file.ts';
import type { AuthoredColumns, ArticleRevisionsTable, ArticleVersionsTable } from '../db/schema/schema.ts';
import { toInstant } from '../shared/ids.ts';
import type { ExportedRow } from './export-queries.ts';
import { FOLDERS, type ArticleFacts, type RevisionFacts, type VersionFacts } from './format.ts';
import { withRelativeLinks } from './picture-links.ts';

export interface FileContext {
  path: string;
  /** Path of a picture in the export; null if the export does not contain it. */
  pathOf(picture: string): string | null;
  seriesTitle(id: string): string | undefined;
  /** Whether the whole site is exported, with data that only the operator may see. */
  isSite: boolean;
}

export function folderOf(row: Pick<ExportedRow, 'status' | 'secret'>): string {
  if (row.status === 'cancel') return FOLDERS.trash;
  if (row.status === 'draft') return FOLDERS.draft;
  return row.secret === 1 ? FOLDERS.secret : FOLDERS.post;
}

/**
 * Writes an article as a file. Articles that are not public are marked `draft`, so generators do not publish
 * them.
 * @param aliases former addresses
 */
export function articleFile(row: ExportedRow, aliases: readonly string[], context: FileContext): string {
  const facts: ArticleFacts = {
    id: row.id,
    author: row.author_id,
    status: row.status,
    moderation: row.moderation,
    wanted_secret: row.wanted_secret,
    was_published: row.was_published,
    type: row.type,
    series: row.series,
    series_no: row.series_no,
    saved_by: row.saved_by,
    read_num: row.read_num,
    is_rendered: row.renderer_version > 0,
    ...(context.isSite ? { seq: row.seq } : {}),
    ...(row.trash_status !== null && row.trash_time !== null
      ? { trash: { status: row.trash_status, time: toInstant(row.trash_time) } }
      : {}),
    ...(row.publish_time === null
      ? {}
      : { schedule: { time: toInstant(row.publish_time), problem: row.problem ?? '' } }),
    ...(row.withheld_state === null
      ? {}
      : {
          withheld: {
            state: row.withheld_state,
            note: row.note ?? '',
            reasons: context.isSite ? (row.reasons ?? '[]') : '[]',
            since: toInstant(row.withheld_time ?? 0),
            by_ban: row.hidden_by_ban === 1,
          },
        }),
  };
  const isPublic = row.is_public === 1;
  const known = { date: row.create_time, updated: row.update_time, isPublic, aliases };
  return fileOf(row, known, facts, context);
}

export function revisionFile(row: ArticleRevisionsTable, created: number, context: FileContext): string {
  const { article_id: revision_of, series, saved_by } = row;
  const facts: RevisionFacts = { revision_of, series, saved_by, base: toInstant(row.base_time) };
  return fileOf(row, { date: created, updated: row.update_time, isPublic: false }, facts, context);
}

export function versionFile(row: ArticleVersionsTable, context: FileContext): string {
  const { id, article_id: version_of, kind, digest, series } = row;
  const facts: VersionFacts = { id, version_of, kind, digest, series };
  return fileOf(row, { date: row.create_time, isPublic: false }, facts, context);
}

function fileOf(
  row: AuthoredColumns,
  known: { date: number; updated?: number; isPublic: boolean; aliases?: readonly string[] },
  facts: ArticleFacts | RevisionFacts | VersionFacts,
  { path, pathOf, seriesTitle }: FileContext,
): string {
  const { date, updated, isPublic, aliases = [] } = known;
  const fields = allFields(fieldsFromColumns(row, FIELD_NAMES));
  const linked = withRelativeLinks(row, pathOf, path);
  const series = row.series === '' ? undefined : seriesTitle(row.series);
  return toMarkdownFile(linked ? { ...fields, content: linked.content, cover: linked.cover } : fields, {
    date: toInstant(date),
    ...(updated === undefined ? {} : { updated: toInstant(updated) }),
    ...(isPublic ? {} : { draft: true, published: false }),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(series === undefined ? {} : { series: [series] }),
    moye: { ...facts, ...(linked ? {} : { has_site_addresses: true }) } as FrontMatterValue,
  });
}
