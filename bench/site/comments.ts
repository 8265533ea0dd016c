import type { Facts, Put } from './facts.ts';
import { userId, type Shape } from './people.ts';
import { idAt, type Dice } from './random.ts';
import type { Piece } from './stock.ts';

/** Every n-th article, beginning with `first`, is discussed at length. */
const HOT = { every: 5_000, first: 17, comments: 1_000 };
const SILENT_SHARE = 0.4;
const MEAN_COMMENTS = 8;
const MAX_COMMENTS = 200;
const REPLY_SHARE = 0.3;
const UNREAD_SHARE = 0.03;
const HELD_ONE_IN = 200;
const COMMENT_CHARACTERS = 120;
const GAP_MS = 6 * 3_600_000;
const MAX_PER_ARTICLE = 4_096;

/** Returns the number of an article's comments: about five on average. */
function countFrom(index: number, dice: Dice): number {
  if (index % HOT.every === HOT.first) return HOT.comments;
  if (dice.next() < SILENT_SHARE) return 0;
  return Math.min(MAX_COMMENTS, 1 + Math.floor(-Math.log(1 - dice.next()) * MEAN_COMMENTS));
}

/** Puts an article's comments with replies, read marks, and pending ones. */
export function commentRows(
  { index, id: articleId, author, time: start, dice }: Facts,
  { users, to }: Shape,
  pieces: readonly Piece[],
  put: Put,
): void {
  const earlier: { id: string; author: number }[] = [];
  let time = start;
  for (let number = countFrom(index, dice); number > 0; number--) {
    time = Math.min(time + 1000 + dice.below(GAP_MS), to);
    const id = idAt(time, index * MAX_PER_ARTICLE + number);
    const writer = dice.skewed(users, 2);
    const { text } = pieces[dice.below(pieces.length)] as Piece;
    const replied = dice.next() < REPLY_SHARE ? earlier[dice.below(earlier.length)] : undefined;
    const comment = {
      id,
      article_id: articleId,
      author_id: userId(writer),
      content: text.slice(0, 10 + dice.below(COMMENT_CHARACTERS)).toWellFormed(),
      reply_user_id: replied ? userId(replied.author) : null,
      reply_comment_id: replied?.id ?? null,
      create_time: time,
      request_id: null,
      edit_time: null,
      mentions: '',
    };
    const recipients = new Set([author, ...(replied ? [replied.author] : [])]);
    recipients.delete(writer);
    if (dice.isOne(HELD_ONE_IN)) {
      put('withheld_comments', {
        ...comment,
        recipients: JSON.stringify(Array.from(recipients, (user) => [userId(user), 0])),
      });
      put('withheld_items', {
        kind: 'comment',
        id,
        state: dice.isOne(4) ? 'held' : 'hidden',
        note: '',
        reasons: '["word"]',
        create_time: time,
        hidden_by_ban: 0,
        words: '[]',
      });
      continue;
    }
    put('comments', comment);
    for (const user of recipients)
      put('comment_recipients', {
        user_id: userId(user),
        comment_id: id,
        create_time: time,
        is_read: dice.next() < UNREAD_SHARE ? 0 : 1,
      });
    earlier.push({ id, author: writer });
  }
}
