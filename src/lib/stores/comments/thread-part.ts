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

export function isOlder(comment: Comment, than: Comment): boolean {
  const [one, other] = [comment.create_time, than.create_time];
  return one === other ? comment._id < than._id : one < other;
}
