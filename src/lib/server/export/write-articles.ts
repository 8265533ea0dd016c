import { setImmediate } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { picturesIn } from '../../contract/rules/pictures.ts';
import type { ArticleRevisionsTable } from '../db/schema/schema.ts';
import { articleFile, folderOf, revisionFile, versionFile, type FileContext } from './article-files.ts';
import * as queries from './export-queries.ts';
import { pictureOf, type Run } from './export-run.ts';
import { createNames, safeName } from './file-names.ts';
import { FOLDERS, type Picture } from './format.ts';

export interface Texts {
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
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const some = ids.slice(start, start + BATCH_SIZE);
      const revisions = new Map((await queries.revisionsOf(db, some)).map((row) => [row.article_id, row]));
      const paths = Map.groupBy(await queries.formerPathsOf(db, some), ({ article_id }) => article_id);
      for (const row of await queries.articlesOf(db, some)) {
        const name = nameFor(`${dateOf.format(row.create_time)}-${safeName(row.title)}`, row.id);
        const aliases = (paths.get(row.id) ?? []).map(({ path }) => run.addressOf(path));
        await writeArticle(run, texts, { folder, name }, { row, aliases, revision: revisions.get(row.id) });
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
    revision,
  }: {
    row: queries.ExportedRow;
    aliases: readonly string[];
    revision: Selectable<ArticleRevisionsTable> | undefined;
  },
): Promise<void> {
  const path = `${folder}${folderOf(row)}/${name}.md`;
  await put(run, texts, { path, time: row.update_time }, row, (context) =>
    articleFile(row, aliases, context),
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
  for (let start = 0; start < ids.length; start += BATCH_SIZE)
    for (const version of await queries.versionsOf(db, ids.slice(start, start + BATCH_SIZE))) {
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
