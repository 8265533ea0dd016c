import { COMMENT_PAGE_SIZE } from '../../contract/rules/bounds.ts';
import type { Comment } from '../../contract/entities.ts';

/**
 * Comments of a thread from its start without a gap, in its order. `rest` is the number of comments that
 * follow them on the server.
 */
export interface Part {
  comments: readonly Comment[];
  rest: number;
}

/** Reads a page of the thread in its order; beyond the last page it returns the last one. */
export type ReadPage = (page: number) => Promise<readonly Comment[]>;

/** Maximum pages read per part: other users may write and delete comments in the meantime. */
const MAX_READS = 20;

/** Returns the newest comments as a part. Servers without pagination return everything, without positions. */
export function partOf(comments: readonly Comment[]): Part {
  return { comments, rest: (comments.at(-1)?.position ?? 1) - 1 };
}

/**
 * Extends a part (newest first) by the comments after it, without duplicates or gaps even if comments are
 * written in the meantime.
 * @throws errors of `readPage`, or an Error when the comment thread keeps changing while it is read
 */
export async function extend(part: Part, readPage: ReadPage): Promise<Part> {
  const { comments, rest } = part;
  const last = comments.at(-1);
  if (!last || rest === 0) return part;
  const total = comments[0]?.position ?? rest + comments.length;
  let page = Math.floor((total - rest) / COMMENT_PAGE_SIZE) + 1;
  let newer = 0;
  for (let reads = 0; reads < MAX_READS; reads++) {
    const answer = await readPage(page);
    const found = answer.filter((comment) => isOlder(comment, last));
    const isNext =
      found.length < answer.length || page === newer + 1 || answer[0]?.position === rest || page === 1;
    if (isNext && found.length > 0) return { ...partOf(found), comments: [...comments, ...found] };
    if ((answer.at(-1)?.position ?? 1) === 1 && isNext) return { comments, rest: 0 };
    if (isNext) newer = page;
    page += isNext ? 1 : -1;
  }
  throw new Error('the comment thread keeps changing while it is read');
}

/**
 * Extends a part with the oldest first. A deletion moves all later comments forward, so only a page that
 * contains the end of the part, or follows one, is known to leave nothing out.
 * @throws as `extend`
 */
export async function extendLater(part: Part, readPage: ReadPage): Promise<Part> {
  const { comments, rest } = part;
  const last = comments.at(-1);
  if (!last) return part;
  const end = last.position ?? comments.length;
  let page = Math.ceil(end / COMMENT_PAGE_SIZE);
  let older = 0;
  for (let reads = 0; reads < MAX_READS; reads++) {
    const answer = await readPage(page);
    const found = answer.filter((comment) => isOlder(last, comment));
    const isNext = found.length < answer.length || page === older + 1;
    if (isNext && found.length > 0) {
      const left = end + rest - (found.at(-1)?.position ?? 0);
      return { comments: [...comments, ...found], rest: Math.max(0, left) };
    }
    const isLast = answer.length < COMMENT_PAGE_SIZE || (older > 0 && page === older + 1);
    if (isNext && isLast) return { comments, rest: 0 };
    if (isNext) older = page;
    page += isNext ? 1 : -1;
  }
  throw new Error('the comment thread keeps changing while it is read');
}

/**
 * Extends a part in the order of conversations. New comments and deletions move the positions, so the page
 * before is read too; `isNew` tells comments that are shown on request only.
 * @throws errors of `readPage`
 */
export async function extendConversations(
  { comments, rest }: Part,
  readPage: ReadPage,
  isNew: (comment: Comment) => boolean,
): Promise<Part> {
  const known = new Set(comments.map(({ _id }) => _id));
  const found: Comment[] = [];
  const page = Math.floor(comments.length / COMMENT_PAGE_SIZE) + 1;
  let isLast = false;
  for (let at = Math.max(1, page - 1); !isLast && at < page + MAX_READS; at++) {
    const answer = await readPage(at);
    const others = answer.filter((comment) => !known.has(comment._id) && !isNew(comment));
    others.forEach((comment) => known.add(comment._id));
    found.push(...others);
    isLast = answer.length < COMMENT_PAGE_SIZE;
    if (at >= page && found.length > 0) break;
  }
  return { comments: [...comments, ...found], rest: isLast ? 0 : Math.max(0, rest - found.length) };
}

/** Inserts comments, oldest first, into conversations: each below what it answers, or else at the top. */
export function intoConversations<C extends Pick<Comment, '_id' | 'reply_id'>>(
  comments: readonly C[],
  added: readonly C[],
): C[] {
  const all = [...comments];
  for (const comment of added) {
    const above = all.findIndex(({ _id }) => _id === comment.reply_id);
    if (above < 0) all.unshift(comment);
    else {
      const end = all.findIndex(({ reply_id }, index) => index > above && reply_id === undefined);
      all.splice(end < 0 ? all.length : end, 0, comment);
    }
  }
  return all;
}

export function isOlder(comment: Comment, than: Comment): boolean {
  const [one, other] = [comment.create_time, than.create_time];
  return one === other ? comment._id < than._id : one < other;
}
