import { COMMENTS_A_PAGE } from '../contract/bounds.ts';
import type { Comment } from '../contract/entities.ts';

/** The newest comments of a thread without a gap, and how many older ones the server has. */
export interface Part {
  comments: readonly Comment[];
  older: number;
}

/** Asks for a page of the thread, newest first; beyond the last it answers the last. */
type ReadPage = (page: number) => Promise<readonly Comment[]>;

/** Pages that are looked at for one more part: others may write and delete meanwhile. */
const MOST_READS = 20;

/** A thread's first page as a part; servers without pages answer everything, without positions. */
export function partOf(comments: readonly Comment[]): Part {
  return { comments, older: (comments.at(-1)?.position ?? 1) - 1 };
}

/**
 * The part and the comments after it, none twice or left out, whatever is written meanwhile.
 * @throws what `readPage` throws, or an Error when the thread changes faster than it can be read
 */
export async function extend(part: Part, readPage: ReadPage): Promise<Part> {
  const { comments, older } = part;
  const last = comments.at(-1);
  if (!last || older === 0) return part;
  const total = comments[0]?.position ?? older + comments.length;
  let page = Math.floor((total - older) / COMMENTS_A_PAGE) + 1;
  /** A page that only holds what is newer than the end of the part. */
  let newer = 0;
  for (let reads = 0; reads < MOST_READS; reads++) {
    const answer = await readPage(page);
    const found = answer.filter((comment) => isOlder(comment, last));
    const isNext =
      found.length < answer.length || page === newer + 1 || answer[0]?.position === older || page === 1;
    if (isNext && found.length > 0) return { ...partOf(found), comments: [...comments, ...found] };
    if ((answer.at(-1)?.position ?? 1) === 1 && isNext) return { comments, older: 0 };
    if (isNext) newer = page;
    page += isNext ? 1 : -1;
  }
  throw new Error('the thread changes faster than it can be read');
}

/** Whether a comment stands after another, newest first. */
export function isOlder(comment: Comment, than: Comment): boolean {
  const [one, other] = [comment.create_time, than.create_time];
  return one === other ? comment._id < than._id : one < other;
}
