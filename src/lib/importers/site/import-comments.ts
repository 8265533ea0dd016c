import { BOUNDS } from '../../contract/rules/bounds.ts';
import type { ImportedComment } from '../../server/articles/import/site-import-service.ts';
import { hideParts } from '../../markdown-file/hidden-parts.ts';
import { batchesOf } from '../../shared/batches.ts';
import { personOf } from './import-people.ts';
import type { ForeignComment } from './foreign-site.ts';
import { fitText, isStoppedNow, note, tally, type SiteRun } from './site-run.ts';

/** Comments per transaction. */
const COMMENT_BATCH_SIZE = 50;
const MAX_COMMENT_CHARACTERS = BOUNDS.comment[1];

/** Imports comments on imported articles, each reply after the comment that it answers. */
export async function importComments(run: SiteRun): Promise<void> {
  let waiting = await importSome(run, null, false);
  while (waiting.size > 0 && !(await isStoppedNow(run))) {
    // A reply that precedes its comment waits for the next pass. Replies to missing comments, and circular
    // ones, are imported as plain comments.
    const left = await importSome(run, waiting, false);
    if (left.size === waiting.size) {
      await importSome(run, left, true);
      return;
    }
    waiting = left;
  }
}

/**
 * Imports comments that reply to no comment or to an imported one; only those of `keys`, unless it is null.
 * @param isLast whether to import the other comments as plain comments
 * @returns the keys of comments that must wait
 */
async function importSome(run: SiteRun, keys: Set<string> | null, isLast: boolean): Promise<Set<string>> {
  const waiting = new Set<string>();
  let done = 0;
  for await (const batch of batchesOf(commentsOf(run, keys), COMMENT_BATCH_SIZE)) {
    done += batch.length;
    for (const key of await importBatch(run, batch, isLast)) waiting.add(key);
    run.options.onProgress?.('comments', done, null);
    if (await isStoppedNow(run)) break;
  }
  return waiting;
}

async function* commentsOf(run: SiteRun, keys: Set<string> | null): AsyncGenerator<ForeignComment> {
  for await (const comment of run.site.comments()) if (keys?.has(comment.key) ?? true) yield comment;
}

async function importBatch(
  run: SiteRun,
  batch: readonly ForeignComment[],
  isLast: boolean,
): Promise<string[]> {
  const { store, report } = run;
  const known = await store.knownComments(batch.map(({ key }) => key));
  report.comments.known += known.size;
  const fresh = batch.filter(({ key }) => !known.has(key));
  const answered = fresh.flatMap(({ replyTo }) => replyTo ?? []);
  const here = new Set([...known, ...(await store.knownComments(answered))]);
  const waiting: string[] = [];
  const ready: ImportedComment[] = [];
  for (const comment of fresh) {
    const { key, replyTo } = comment;
    const isAnswerable = replyTo === undefined || here.has(replyTo);
    if (!isAnswerable && !isLast) {
      waiting.push(key);
      continue;
    }
    const reply = isAnswerable ? replyTo : undefined;
    if (!isAnswerable) tally(run, '评论', '它回复的评论不在来源里，作为普通评论导入');
    const parts = await partsOf(run, comment, reply);
    if (parts.length > 0) here.add(key);
    ready.push(...parts);
  }
  const outcomes = ready.length > 0 ? await store.addComments(ready) : [];
  for (const [at, outcome] of outcomes.entries()) count(run, ready[at], outcome);
  return waiting;
}

function count(run: SiteRun, comment: ImportedComment | undefined, outcome: string): void {
  const { comments } = run.report;
  if (outcome === 'taken') {
    comments.created++;
    if (comment?.isHeld) comments.held++;
  } else if (outcome === 'known') comments.known++;
  else lose(run, '文章已在站内删除');
}

function lose(run: SiteRun, why: string): void {
  run.report.comments.lost++;
  tally(run, '评论', `没有导入：${why}`);
}

/** Converts a comment to this site's form; splits it if it is too long. Empty if it cannot be imported. */
async function partsOf(
  run: SiteRun,
  comment: ForeignComment,
  replyTo: string | undefined,
): Promise<ImportedComment[]> {
  const record = run.records.get(comment.article);
  const texts = splitText(comment.content);
  if (!record || texts.length === 0) {
    lose(run, record ? '没有文字' : '它的文章没有导入');
    return [];
  }
  const author = await personOf(run, comment.author);
  if (!author) {
    lose(run, '来源里没有它的作者');
    return [];
  }
  if (texts.length > 1)
    note(
      run,
      `${author.username} 的评论 ${comment.key}`,
      `超过 ${MAX_COMMENT_CHARACTERS} 个字符，分成了 ${texts.length} 条`,
    );
  const created = Math.min(comment.created, run.now);
  const { key, id, isRead = true } = comment;
  const { isSecret: isHidden } = hideParts(comment.content, { omits: false });
  const isHeld = isHidden || (comment.isHeld ?? false);
  if (isHidden) tally(run, '评论', '含有隐藏内容，等待审核');
  const common = { articleId: record.articleId, authorId: author.id, isRead, isHeld };
  const quoted = replyTo === undefined ? await quotedBy(run, comment) : undefined;
  return texts.map((content, at) =>
    at === 0
      ? { ...common, key, id, content, created, replyTo, quoted }
      : { ...common, key: `${key}#${at + 1}`, content, created: created + at },
  );
}

async function quotedBy(run: SiteRun, { quoted }: ForeignComment): Promise<ImportedComment['quoted']> {
  const person = quoted && (await personOf(run, quoted.author));
  return person
    ? { userId: person.id, content: fitText(quoted.content, MAX_COMMENT_CHARACTERS).text }
    : undefined;
}

function splitText(text: string): string[] {
  let rest = [...text.toWellFormed().replaceAll('\0', '').trim()];
  const parts: string[] = [];
  while (rest.length > MAX_COMMENT_CHARACTERS) {
    const head = rest.slice(0, MAX_COMMENT_CHARACTERS).join('');
    const cut = ['\n\n', '\n', ' '].map((mark) => head.lastIndexOf(mark)).find((at) => at > head.length / 2);
    const part = head.slice(0, cut ?? head.length);
    parts.push(part.trim());
    rest = [
      ...rest
        .slice([...part].length)
        .join('')
        .trim(),
    ];
  }
  if (rest.length > 0) parts.push(rest.join(''));
  return parts;
}
