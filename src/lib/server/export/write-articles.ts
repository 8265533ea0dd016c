import { setImmediate } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { picturesIn } from '../../contract/rules/pictures.ts';
import { batchesOf } from '../../shared/batches.ts';
import type { ArticleRevisionsTable, AuthoredColumns, ArticleVersionsTable } from '../db/schema/schema.ts';
import * as queries from './export-queries.ts';
import type { ExportedRow } from './export-queries.ts';
import { pictureOf, withheldOf, type Run } from './export-run.ts';
import { createNames, safeName } from './file-names.ts';
import { FOLDERS, type Picture, type ArticleFacts, type RevisionFacts, type VersionFacts } from './format.ts';
import { allFields, FIELD_NAMES, fieldsFromColumns } from '../../contract/rules/authored-fields.ts';
import { toMarkdownFile, type FrontMatterValue } from '../../shared/write-file.ts';
import { toInstant } from '../shared/ids.ts';
import { withRelativeLinks } from './picture-links.ts';

interface Texts {
  /** Folder by author id; null if none of their data is exported. */
  folders: ReadonlyMap<string, string | null>;
  /** By name; other users' pictures that an author's texts show are added. */
  pictures: Map<string, Picture>;
  titles: ReadonlyMap<string, string>;
}

interface Place {
  folder: string;
  name: string;
}

const { texts: BATCH_SIZE } = queries.BATCH_SIZES;

export async function writeArticles(run: Run, texts: Texts): Promise<void> {
  const { db } = run.snapshot;
  const dateOf = new Intl.DateTimeFormat('sv-SE', { timeZone: run.timeZone, dateStyle: 'short' });
  let [done, total] = [0, 0];
  for (const [authorId, folder] of texts.folders) {
    if (folder === null) continue;
    const ids = await queries.listArticleIds(db, authorId);
    total += ids.length;
    const nameFor = createNames();
    for await (const some of batchesOf(ids, BATCH_SIZE)) {
      const revisions = new Map((await queries.revisionsOf(db, some)).map((row) => [row.article_id, row]));
      const paths = Map.groupBy(await queries.formerPathsOf(db, some), ({ article_id }) => article_id);
      const slugs = Map.groupBy(await queries.slugsOf(db, some), ({ article_id }) => article_id);
      const pageSlugs = Map.groupBy(await queries.formerSlugsOf(db, some), ({ article_id }) => article_id);
      for (const row of await queries.articlesOf(db, some)) {
        const name = nameFor(`${dateOf.format(row.create_time)}-${safeName(row.title)}`, row.id);
        const aliases = (paths.get(row.id) ?? []).map(({ path }) => run.addressOf(path));
        const own = (slugs.get(row.id) ?? []).map(({ slug }) => slug);
        const formerSlugs = (pageSlugs.get(row.id) ?? []).map(({ slug }) => slug);
        const article = { row, aliases, slugs: own, formerSlugs, revision: revisions.get(row.id) };
        await writeArticle(run, texts, { folder, name }, article);
        await writeVersions(run, texts, { folder, name }, row.id, (time) => dateOf.format(time));
      }
      run.onProgress({ step: 'articles', done: (done += some.length), total });
      // SQLite queries are synchronous: without this pause no other work, not even a signal, is handled.
      await setImmediate();
      run.signal.throwIfAborted();
    }
  }
}

async function writeArticle(
  run: Run,
  texts: Texts,
  { folder, name }: Place,
  {
    row,
    aliases,
    slugs,
    formerSlugs,
    revision,
  }: {
    row: queries.ExportedRow;
    aliases: string[];
    slugs: string[];
    formerSlugs: string[];
    revision: Selectable<ArticleRevisionsTable> | undefined;
  },
): Promise<void> {
  const path = `${folder}${folderOf(row)}/${name}.md`;
  await put(run, texts, { path, time: row.update_time }, row, (context) =>
    articleFile(row, { aliases, slugs, formerSlugs }, context),
  );
  run.counts.articles++;
  if (!revision) return;
  const beside = `${folder}${FOLDERS.revision}/${name}.md`;
  const write = (context: FileContext) => revisionFile(revision, row.create_time, context);
  await put(run, texts, { path: beside, time: revision.update_time }, revision, write);
  run.counts.revisions++;
}

async function writeVersions(
  run: Run,
  texts: Texts,
  { folder, name }: Place,
  articleId: string,
  dateOf: (time: number) => string,
): Promise<void> {
  const { db } = run.snapshot;
  const ids = await queries.listVersionIds(db, articleId);
  for await (const some of batchesOf(ids, BATCH_SIZE))
    for (const version of await queries.versionsOf(db, some)) {
      const path = `${folder}${FOLDERS.version}/${name}/${dateOf(version.create_time)}-${version.id}.md`;
      await put(run, texts, { path, time: version.create_time }, version, (context) =>
        versionFile(version, context),
      );
      run.counts.versions++;
    }
}

async function put(
  { sink, snapshot, whose }: Run,
  { pictures, titles }: Texts,
  { path, time }: { path: string; time: number },
  text: { content: string; cover: string },
  write: (context: FileContext) => string,
): Promise<void> {
  if (whose !== null) {
    const unknown = picturesIn(text).filter((name) => !pictures.has(name));
    for (const row of await queries.filesNamed(snapshot.db, unknown))
      pictures.set(row.name, pictureOf(row, ''));
  }
  const context: FileContext = {
    path,
    pathOf: (picture) => pictures.get(picture)?.path ?? null,
    seriesTitle: (id) => titles.get(id),
    isSite: whose === null,
  };
  await sink.put(path, Buffer.from(write(context)), time);
}

interface FileContext {
  path: string;
  /** Path of a picture in the export; null if the export does not contain it. */
  pathOf(picture: string): string | null;
  seriesTitle(id: string): string | undefined;
  /** Whether the whole site is exported, with data that only the operator may see. */
  isSite: boolean;
}

function folderOf(row: Pick<ExportedRow, 'status' | 'secret' | 'moderation'>): string {
  if (row.status === 'cancel') return FOLDERS.trash;
  if (row.status === 'draft') return FOLDERS.draft;
  if (row.moderation !== '') return FOLDERS.withheld;
  return row.secret === 1 ? FOLDERS.secret : FOLDERS.post;
}

/**
 * Writes an article as a file. Articles that are not public are marked `draft`, so generators do not publish
 * them.
 * @param known `aliases`: former addresses
 */
function articleFile(
  row: ExportedRow,
  { aliases, slugs, formerSlugs }: Record<'aliases' | 'slugs' | 'formerSlugs', string[]>,
  context: FileContext,
): string {
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
    ...(slugs.length === 0 ? {} : { slugs }),
    is_page: row.is_page,
    is_rendered: row.renderer_version > 0,
    ...(context.isSite ? { seq: row.seq } : {}),
    ...(row.trash_status !== null && row.trash_time !== null
      ? { trash: { status: row.trash_status, time: toInstant(row.trash_time) } }
      : {}),
    ...(row.publish_time === null
      ? {}
      : { schedule: { time: toInstant(row.publish_time), problem: row.problem ?? '' } }),
    ...(row.page_slug === null
      ? {}
      : {
          page: {
            slug: row.page_slug,
            parent: row.parent_id ?? '',
            position: row.position ?? 0,
            in_feeds: row.in_feeds ?? 0,
            former_slugs: [...formerSlugs],
          },
        }),
    ...(row.withheld_state === null ? {} : { withheld: withheldOf(row, context.isSite) }),
  };
  const isPublic = row.is_public === 1;
  const known = { date: row.create_time, updated: row.update_time, isPublic, aliases };
  return fileOf(row, known, facts, context);
}

function revisionFile(row: ArticleRevisionsTable, created: number, context: FileContext): string {
  const { article_id: revision_of, series, saved_by } = row;
  const facts: RevisionFacts = { revision_of, series, saved_by, base: toInstant(row.base_time) };
  return fileOf(row, { date: created, updated: row.update_time, isPublic: false }, facts, context);
}

function versionFile(row: ArticleVersionsTable, context: FileContext): string {
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
