import { refuse } from '../../../../contract/rules/errors.ts';
import { readDate } from '../../../../markdown-file/dates.ts';
import { plannedTime, shownDate, type OwnArticle } from '../own-article.ts';
import type { Post } from './posts.ts';

/** What to do with a post: at most one of the times is given (ISO 8601). */
interface Plan {
  publishes: boolean;
  /** Date of the article. */
  publish_time?: string | undefined;
  /** New time of its schedule. */
  scheduled?: string;
}

/** Clocks of editors may run ahead or behind; a time this close is now. */
const CLOCK_ERROR_MS = 120_000;

/** Plans a new post by its date. Refuses with FIELD_INVALID. */
export function planNew(post: Post, isPublic: boolean, timeZone: string): Plan {
  const date = dateOf(post, timeZone);
  if (date === null || date.age === 'now') return { publishes: isPublic };
  if (!isPublic) return { publishes: false, publish_time: date.time };
  return date.age === 'future'
    ? { publishes: false, scheduled: date.time }
    : { publishes: true, publish_time: date.time };
}

/**
 * Plans a change of an article. If the date is the one that the editor was given, a schedule and the date
 * of a draft stay, also if the post is to be published. Refuses with FIELD_INVALID.
 */
export function planChange(own: OwnArticle, post: Post, isPublic: boolean, timeZone: string): Plan {
  const date = dateOf(post, timeZone, shownDate(own));
  const time = date === null ? plannedTime(own) : date.age === 'future' ? date.time : null;
  if (time !== null && (isPublic || own.scheduled !== null))
    return { publishes: false, ...(time === own.scheduled ? {} : { scheduled: time }) };
  if (!isPublic) {
    const isFixed = own.status !== 'draft' || own.scheduled !== null;
    if (isFixed && date !== null && date.age !== 'now')
      refuse('FIELD_INVALID', { text: '已发布或已定时的文章，改日期时请选择发布' });
    return { publishes: false, publish_time: isFixed ? undefined : date?.time };
  }
  if (date === null) return { publishes: true, publish_time: isDated(own) ? own.create_time : undefined };
  return { publishes: true, publish_time: date.age === 'past' ? date.time : undefined };
}

/** Whether a draft has a date from before it was made, which its id tells in seconds. */
const isDated = ({ _id, status, create_time }: OwnArticle): boolean =>
  status === 'draft' && Date.parse(create_time) < Number.parseInt(_id.slice(0, 8), 16) * 1000;

/**
 * Returns the date of a post, or null if it has none or the one of `shown`. Texts without a zone are in
 * `timeZone`: most editors send the local time. Refuses with FIELD_INVALID.
 */
function dateOf({ dateCreated = '', date_created_gmt = '' }: Post, timeZone: string, shown?: string) {
  const time = readTime(date_created_gmt, 'UTC') ?? readTime(dateCreated, timeZone);
  if (time === null) return null;
  // Some clients write both members in their own zone.
  const readings = dateCreated === date_created_gmt ? [time, readTime(dateCreated, timeZone)] : [time];
  if (shown !== undefined && readings.some((each) => each !== null && isSameSecond(each, shown))) return null;
  const ahead = time - Date.now();
  const age = Math.abs(ahead) <= CLOCK_ERROR_MS ? 'now' : ahead > 0 ? 'future' : 'past';
  return { time: new Date(time).toISOString(), age } as const;
}

/** Dates are written without fractions of a second. */
const isSameSecond = (time: number, shown: string): boolean =>
  Math.trunc(time / 1000) === Math.trunc(Date.parse(shown) / 1000);

const TIME = /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})(?=[Z.+-]|$)/;

/** Reads `20261127T08:05:31` or ISO 8601, in milliseconds; '' is null. Refuses with FIELD_INVALID. */
function readTime(written: string, timeZone: string): number | null {
  const text = written.trim();
  if (text === '') return null;
  const parts = TIME.exec(text);
  if (parts && Number(parts[1]) < 1970) refuse('FIELD_INVALID', { text: '日期不能早于 1970 年' });
  const time = parts && readDate(text.replace(TIME, '$1-$2-$3T$4:$5:$6'), timeZone);
  return time ?? refuse('FIELD_INVALID', { text: '日期的格式不正确' });
}
