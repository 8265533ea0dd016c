import { setImmediate } from 'node:timers/promises';
import { batchesOf } from '../../shared/batches.ts';
import * as queries from './export-queries.ts';
import { createNames, safeName } from './file-names.ts';
import { AUTHORS, FORMAT, LISTS, MANIFEST, Manifest, type Picture, type User } from './format.ts';
import {
  pictureOf,
  type ExportOptions,
  type ExportScope,
  type ExportSource,
  type Run,
} from './export-run.ts';
import * as lists from './lists.ts';
import { COMMENTS_PAGE, commentsPage, README, readmeOf } from './readable.ts';
import { writeArticles } from './write-articles.ts';
import type { ExportSink } from './sink.ts';
import { toInstant } from '../shared/ids.ts';

/**
 * Writes an export into `sink`: texts and lists of the snapshot, then the pictures they name, last the
 * manifest. Holds a batch of texts, one picture and the names of files in memory.
 * @throws errors of the sources or the sink; AbortError
 */
export async function writeExport(
  source: ExportSource,
  scope: ExportScope,
  sink: ExportSink,
  options: ExportOptions,
): Promise<Manifest> {
  const names = Object.keys(Manifest.shape.counts.shape);
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Manifest['counts'];
  // Only the operator may export account data.
  const withAccounts = scope.withAccounts && scope.whose === null;
  const run: Run = { ...source, ...scope, ...options, withAccounts, sink, counts };
  const pictures = await writeRows(run);
  await options.onRead();
  const missing = await writePictures(run, pictures);
  const manifest: Manifest = {
    moye_export: FORMAT,
    product: source.product,
    kind: scope.whose === null ? 'site' : 'author',
    author: scope.whose,
    with_accounts: withAccounts,
    time: toInstant(source.time),
    counts,
    missing,
  };
  const readme = readmeOf({ isSite: scope.whose === null });
  await sink.put(README, Buffer.from(readme), source.time);
  await sink.put(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), source.time);
  await sink.end();
  return manifest;
}

async function writeRows(run: Run): Promise<Picture[]> {
  const { snapshot, whose, withAccounts } = run;
  const { db } = snapshot;
  const users = await listUsers(run);
  const pictures = await listPictures(run, users);
  const found = new Map<string, Picture>(pictures.map((picture) => [picture.name, picture]));
  const titles = new Map<string, string>();
  await list(run, LISTS.series, lists.series(db, whose), 'series', ({ id, title }) => titles.set(id, title));
  await writeArticles(run, { folders: users, pictures: found, titles });
  await list(run, LISTS.tags, lists.tags(db, whose), 'tags');
  const others = new Set<string>();
  await list(run, LISTS.comments, lists.comments(db, whose), 'comments', ({ author, reply_to }) => {
    for (const user of [author, reply_to?.user]) if (user !== undefined && !users.has(user)) others.add(user);
  });
  await list(run, LISTS.notifications, lists.notifications(db, whose));
  if (whose === null) {
    await list(run, LISTS.friends, lists.friends(db, withAccounts));
    await list(run, LISTS.site, await queries.siteParts(db));
    await list(run, LISTS.reads, lists.reads(db));
  } else
    await run.sink.stream(COMMENTS_PAGE, commentsPage(lists.comments(db, whose), run.timeZone), run.time);
  const folders = new Map(
    [...users].flatMap(([id, folder]) => (folder === null ? [] : [[id, folder] as const])),
  );
  await list(run, LISTS.users, everybody(), 'users');
  await list(run, LISTS.pictures, found.values(), 'pictures');
  return [...found.values()];

  /** In an author's export, other users occur only in comments: omits their profiles. */
  async function* everybody(): AsyncGenerator<User> {
    const ids = [...users.keys(), ...others];
    for await (const some of batchesOf(ids, queries.BATCH_SIZES.rows)) {
      const rows = await queries.namedUsers(db, some);
      const plain = rows.map((row) =>
        others.has(row.id) ? { ...row, avatar: '', bio: '', website: '', links: '[]', thanks: '' } : row,
      );
      yield* await lists.describeUsers(db, plain, { folders, withAccounts });
    }
  }
}

/** Users by id, with their folder; null if they have neither articles nor files. */
async function listUsers({ snapshot: { db }, whose }: Run): Promise<Map<string, string | null>> {
  const users = new Map<string, string | null>();
  const nameFor = createNames();
  const rows = lists.paged((after) => queries.usersAfter(db, after, whose), 'id');
  for await (const { id, username, has_articles, has_files } of rows) {
    const isEmpty = !has_articles && !has_files;
    if (whose === null) users.set(id, isEmpty ? null : `${AUTHORS}/${nameFor(safeName(username), id)}/`);
    else users.set(id, '');
  }
  return users;
}

async function listPictures(
  { snapshot: { db }, whose }: Run,
  users: ReadonlyMap<string, string | null>,
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for await (const row of lists.paged((after) => queries.filesAfter(db, after, whose), 'name'))
    pictures.push(pictureOf(row, users.get(row.owner_id) ?? ''));
  return pictures;
}

async function list<T>(
  { sink, time, counts, signal }: Run,
  path: string,
  entries: AsyncIterable<T> | Iterable<T>,
  counted?: keyof Manifest['counts'],
  seen: (entry: T) => void = () => {},
): Promise<void> {
  async function* lines(): AsyncGenerator<Uint8Array> {
    let [text, count] = ['[', 0];
    for await (const entry of entries) {
      seen(entry);
      if (counted) counts[counted]++;
      text += `${count === 0 ? '' : ','}\n${JSON.stringify(entry)}`;
      if (++count % queries.BATCH_SIZES.rows > 0) continue;
      yield Buffer.from(text);
      text = '';
      await setImmediate();
      signal.throwIfAborted();
    }
    yield Buffer.from(`${text}\n]\n`);
  }
  await sink.stream(path, lines(), time);
}

async function writePictures(
  { uploads, sink, signal, onProgress }: Run,
  pictures: readonly Picture[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const [index, { name, path, created }] of pictures.entries()) {
    signal.throwIfAborted();
    const opened = await uploads.open(name);
    if (opened)
      await sink.put(path, Buffer.from(await new Response(opened.body).arrayBuffer()), Date.parse(created));
    else missing.push(name);
    onProgress({ step: 'pictures', done: index + 1, total: pictures.length });
  }
  return missing;
}
