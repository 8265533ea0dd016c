import { COMMENTS_A_PAGE } from '../contract/bounds.ts';
import type { Comment } from '../contract/entities.ts';

/**
 * A thread's comments from its beginning without a gap, in its order, and how many the server has after
 * those.
 */
export interface Part {
  comments: readonly Comment[];
  rest: number;
}

/** Asks for a page of the thread in its order; beyond the last it answers the last. */
export type ReadPage = (page: number) => Promise<readonly Comment[]>;

/** Pages that are looked at for one more part: others may write and delete meanwhile. */
const MOST_READS = 20;

/** The newest comments as a part; servers without pages answer everything, without positions. */
export function partOf(comments: readonly Comment[]): Part {
  return { comments, rest: (comments.at(-1)?.position ?? 1) - 1 };
}

/**
 * The part of a thread, newest first, and the comments after it, none twice or left out, whatever is written
 * meanwhile.
 * @throws what `readPage` throws, or an Error when the thread changes faster than it can be read
 */
export async function extend(part: Part, readPage: ReadPage): Promise<Part> {
  const { comments, rest } = part;
  const last = comments.at(-1);
  if (!last || rest === 0) return part;
  const total = comments[0]?.position ?? rest + comments.length;
  let page = Math.floor((total - rest) / COMMENTS_A_PAGE) + 1;
  /** A page that only holds what is newer than the end of the part. */
  let newer = 0;
  for (let reads = 0; reads < MOST_READS; reads++) {
    const answer = await readPage(page);
    const found = answer.filter((comment) => isOlder(comment, last));
    const isNext =
      found.length < answer.length || page === newer + 1 || answer[0]?.position === rest || page === 1;
    if (isNext && found.length > 0) return { ...partOf(found), comments: [...comments, ...found] };
    if ((answer.at(-1)?.position ?? 1) === 1 && isNext) return { comments, rest: 0 };
    if (isNext) newer = page;
    page += isNext ? 1 : -1;
  }
  throw new Error('the thread changes faster than it can be read');
}

/**
 * The same for a thread with the oldest first. What is deleted moves all after it to an earlier place, so
 * only a page that holds the end of the part, or follows one, is known to leave nothing out.
 * @throws as `extend`
 */
export async function extendLater(part: Part, readPage: ReadPage): Promise<Part> {
  const { comments, rest } = part;
  const last = comments.at(-1);
  if (!last) return part;
  const end = last.position ?? comments.length;
  let page = Math.ceil(end / COMMENTS_A_PAGE);
  /** A page that only holds what is older than the end of the part. */
  let older = 0;
  for (let reads = 0; reads < MOST_READS; reads++) {
    const answer = await readPage(page);
    const found = answer.filter((comment) => isOlder(last, comment));
    const isNext = found.length < answer.length || page === older + 1;
    if (isNext && found.length > 0) {
      const left = end + rest - (found.at(-1)?.position ?? 0);
      return { comments: [...comments, ...found], rest: Math.max(0, left) };
    }
    // A page beyond the last is the last once more.
    const isLast = answer.length < COMMENTS_A_PAGE || (older > 0 && page === older + 1);
    if (isNext && isLast) return { comments, rest: 0 };
    if (isNext) older = page;
    page += isNext ? 1 : -1;
  }
  throw new Error('the thread changes faster than it can be read');
}

/** Whether a comment stands after another, newest first. */
export function isOlder(comment: Comment, than: Comment): boolean {
  const [one, other] = [comment.create_time, than.create_time];
  return one === other ? comment._id < than._id : one < other;
}
