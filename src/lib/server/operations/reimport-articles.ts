import { posix } from 'node:path';
import { may } from '../../contract/rules/permissions.ts';
import { slugRule } from '../../contract/rules/slugs.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { insertWithheldItem } from '../articles/history/reinstate-queries.ts';
import type { FormerArticle } from '../articles/history/reinstate-service.ts';
import type { ArticleVersionsTable } from '../db/schema/schema.ts';
import {
  ExportError,
  FactColumns,
  FOLDERS,
  type ArticleFacts,
  Comment,
  LISTS,
  Reads,
} from '../export/format.ts';
import {
  MAX_TEXT_BYTES,
  readArticle,
  readRevision,
  readVersion,
  type ReadText,
} from '../export/read-article.ts';
import { batchesOf } from '../../shared/batches.ts';
import { formerPathOf } from '../redirects/canonical-path.ts';
import { entriesLacking, entriesOf, lose, withheldColumns, type ReimportRun } from './reimport-run.ts';
import { findByRequest } from '../comments/comment-queries.ts';
import { resolveQuote } from '../comments/quote-queries.ts';
import { insertVisible, insertWithheld } from '../comments/withheld-queries.ts';
import type { Trx } from '../db/database.ts';
import { knownIds } from '../db/lists.ts';
import { roleOf } from '../moderation/judge-queries.ts';
import { asClean } from '../shared/clean-text.ts';

const { post, draft, secret, withheld, trash, revision: revisions, version: versions } = FOLDERS;
const ARTICLE = new RegExp(`^(.*/)?(?:${[post, draft, secret, withheld, trash].join('|')})/([^/]+)\\.md$`);
const VERSION = new RegExp(`^((?:.*/)?${versions}/[^/]+)/[^/]+\\.md$`);
const REVISION = new RegExp(`^(?:.*/)?${revisions}/[^/]+\\.md$`);
const VERSION_BATCH_SIZE = 10;

export async function importArticles(run: ReimportRun): Promise<void> {
  const { paths } = run.files;
  const articles = paths.flatMap((path) => {
    const [, folder = '', name] = ARTICLE.exec(path) ?? [];
    return name === undefined ? [] : [{ path, folder, name }];
  });
  const rest = {
    revisions: new Set(paths.filter((path) => REVISION.test(path))),
    versions: Map.groupBy(
      paths.filter((path) => VERSION.test(path)),
      (path) => posix.dirname(path),
    ),
  };
  for (const [index, { path, folder, name }] of articles.entries()) {
    run.signal.throwIfAborted();
    const beside = `${folder}${revisions}/${name}.md`;
    const id = await importArticle(run, path, rest.revisions.delete(beside) ? beside : null);
    const older = `${folder}${versions}/${name}`;
    const earlier = rest.versions.get(older) ?? [];
    rest.versions.delete(older);
    if (id !== null) await importVersions(run, id, earlier);
    else run.report.counts.versions.left += earlier.length;
    run.onProgress(index + 1, articles.length);
  }
  for (const path of rest.revisions) lose(run, 'articles', path, '没有找到它的文章');
  for (const [path, of] of rest.versions) lose(run, 'versions', path, `没有找到 ${of.length} 个版本的文章`);
}

interface Owned {
  id: string;
  authorId: string;
}

/** Imports an article; returns null when it and its versions are skipped. */
async function importArticle(
  run: ReimportRun,
  path: string,
  revisionPath: string | null,
): Promise<Owned | null> {
  const read = await readOr(run, path, readArticle);
  const revision = revisionPath && (await readOr(run, revisionPath, readRevision));
  if (!read) return null;
  const author = run.users.get(read.facts.author);
  if (!author) {
    lose(run, 'articles', path, '它的作者没有导入');
    return null;
  }
  const isForeignPage = read.facts.is_page === 1 && run.report.manifest.kind === 'author';
  if (isForeignPage && !may(await roleOf(run.db.read, author.id), 'pages.manage')) {
    lose(run, 'articles', path, '是网站的页面，它的作者在这里不是站长');
    return null;
  }
  const former: FormerArticle = {
    ...formerOf(read, author),
    formerPaths: pathsOf(run, path, read.aliases),
    slugs: (read.facts.slugs ?? []).filter((slug) => slug !== '' && slugRule.accepts(slug)),
    seq: run.report.manifest.kind === 'site' ? read.facts.seq : undefined,
    revision: revision
      ? {
          ...revision.columns,
          base_time: Date.parse(revision.facts.base),
          update_time: revision.updated,
          saved_by: revision.facts.saved_by,
        }
      : null,
  };
  const outcome = await run.reinstate.put(former, run);
  const { articles } = run.report.counts;
  if (outcome === 'same') articles.same++;
  else if (outcome === 'differs') {
    lose(run, 'articles', path, '站内已有这篇文章，内容不同，没有改动它');
    return null;
  } else articles.created++;
  if (outcome === 'too-complex')
    run.report.losses.push({ what: path, why: '结构过于复杂，排不出版，先按原文显示' });
  run.articleIds.add(read.facts.id);
  return { id: read.facts.id, authorId: author.id };
}

function pathsOf({ report }: ReimportRun, file: string, addresses: readonly string[]): string[] {
  return addresses.flatMap((address) => {
    const read = formerPathOf(address);
    if ('path' in read) return [read.path];
    report.losses.push({ what: file, why: `旧地址 ${address} 不能用` });
    return [];
  });
}

function formerOf(
  { facts, columns, date, updated }: ReadText<ArticleFacts>,
  author: { id: string; username: string },
): Omit<FormerArticle, 'seq' | 'revision' | 'formerPaths' | 'slugs'> {
  const { trash: thrown, schedule, withheld } = facts;
  return {
    author: author.username,
    isRendered: facts.is_rendered,
    row: {
      ...columns,
      ...FactColumns.parse(facts),
      // Pages, and pending and hidden articles, are secret.
      secret: facts.moderation === '' && facts.is_page === 0 ? columns.secret : 1,
      author_id: author.id,
      create_time: date,
      update_time: updated,
    },
    trash: thrown ? { status: thrown.status, trash_time: Date.parse(thrown.time) } : null,
    page: facts.page ?? null,
    schedule: schedule ? { publish_time: Date.parse(schedule.time), problem: schedule.problem } : null,
    withheld: withheld ? withheldColumns(withheld) : null,
  };
}

async function importVersions(
  run: ReimportRun,
  { id, authorId }: Owned,
  paths: readonly string[],
): Promise<void> {
  const { counts } = run.report;
  for await (const some of batchesOf(paths, VERSION_BATCH_SIZE)) {
    run.signal.throwIfAborted();
    const rows: ArticleVersionsTable[] = [];
    for (const path of some) {
      const read = await readOr(run, path, readVersion, 'versions');
      if (!read) continue;
      const { facts, columns, date } = read;
      rows.push({
        ...columns,
        id: facts.id,
        article_id: id,
        kind: facts.kind,
        digest: facts.digest,
        create_time: date,
        bytes: Buffer.byteLength(columns.content),
      });
    }
    if (rows.length === 0) continue;
    const added = await run.reinstate.putVersions(authorId, rows, run);
    counts.versions.created += added;
    counts.versions.same += rows.length - added;
  }
}

/** Reads a file; returns null and reports it when it is unreadable. */
async function readOr<T>(
  run: ReimportRun,
  path: string,
  read: (bytes: Uint8Array) => T,
  kind: 'articles' | 'versions' = 'articles',
): Promise<T | null> {
  try {
    return read(await run.files.read(path, MAX_TEXT_BYTES));
  } catch (error) {
    if (!(error instanceof Problem || error instanceof ExportError)) throw error;
    lose(run, kind, path, error.message);
    return null;
  }
}

/** Imports comments with read marks; hidden and pending ones stay so. */
export async function importComments(run: ReimportRun): Promise<void> {
  const { db, report } = run;
  for await (const comments of entriesLacking(run, 'comments', Comment)) {
    const articles = await knownIds(db.read, 'articles', [
      ...new Set(comments.map(({ article }) => article)),
    ]);
    const fresh: Comment[] = [];
    for (const comment of comments) {
      const what = `${comment.author_name} 在《${comment.title}》下的评论（${comment.id}）`;
      if (!run.users.has(comment.author)) lose(run, 'comments', what, '写它的用户没有导入');
      else if (!run.articleIds.has(comment.article) && !articles.has(comment.article))
        lose(run, 'comments', what, '它的文章不在这里');
      else fresh.push(comment);
    }
    report.counts.comments.created += fresh.length;
    if (!run.isDryRun && fresh.length > 0) await db.write((trx) => insertAll(trx, run, fresh));
  }
  if (!run.isDryRun) await resolveQuotes(run);
}

/** Finds the comments that exports of an older version quote only by their text, after all are imported. */
async function resolveQuotes(run: ReimportRun): Promise<void> {
  for await (const comments of entriesOf(run, LISTS.comments, Comment)) {
    const unnamed = comments.filter(({ quote, reply_to }) => quote !== '' && !reply_to?.comment);
    if (unnamed.length === 0) continue;
    await run.db.write(async (trx) => {
      for (const { id, quote } of unnamed) await resolveQuote(trx, id, quote);
    });
  }
}

async function insertAll(trx: Trx, run: ReimportRun, comments: readonly Comment[]): Promise<void> {
  for (const comment of comments) await insert(trx, run, comment);
  // Affects many articles' comments and many users' unread counts.
  run.events.emit(trx, { type: 'anything' });
}

async function insert(trx: Trx, { users, origins }: ReimportRun, comment: Comment): Promise<void> {
  const here = (id: string | undefined) => (id === undefined ? undefined : users.get(id)?.id);
  const author_id = here(comment.author) ?? '';
  const { request_id = null, withheld } = comment;
  const isTaken = request_id !== null && (await findByRequest(trx, author_id, request_id)) !== null;
  const mentions = comment.mentions.map(([id, name]): [string, string] => [here(id) ?? id, name]);
  const row = {
    id: comment.id,
    article_id: comment.article,
    author_id,
    content: asClean(comment.content, 'operator'),
    reply_user_id: here(comment.reply_to?.user) ?? null,
    reply_comment_id: comment.reply_to?.comment ?? null,
    create_time: Date.parse(comment.created),
    request_id: isTaken ? null : request_id,
    edit_time: comment.edited === null ? null : Date.parse(comment.edited),
    mentions: mentions.length === 0 ? '' : JSON.stringify(mentions),
  };
  const marks = comment.recipients.flatMap(({ user, is_read }): [string, 0 | 1][] => {
    const id = here(user);
    return id === undefined ? [] : [[id, is_read ? 1 : 0]];
  });
  await origins.note(trx, 'comment', row.id, { id: author_id, origin: 'import' });
  if (!withheld) return insertVisible(trx, row, marks);
  await insertWithheld(trx, row, marks);
  await insertWithheldItem(trx, { kind: 'comment', id: row.id, ...withheldColumns(withheld) });
}

export async function importReads(run: ReimportRun): Promise<void> {
  for await (const rows of entriesOf(run, LISTS.reads, Reads))
    if (!run.isDryRun) await run.reinstate.putReads(rows);
}
