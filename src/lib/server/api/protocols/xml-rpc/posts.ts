import { z } from 'zod';
import { refuse } from '../../../../contract/rules/errors.ts';
import { PICTURE_URL } from '../../../../contract/rules/pictures.ts';
import { instantOf } from '../../../../shared/time.ts';
import { articleUrl } from '../../../../shared/urls.ts';
import type { Changes, OwnArticle } from '../own-article.ts';
import type { RpcValue } from './write-answer.ts';

export const text = z.string();
const texts = z.array(text);

/** A post of MetaWeblog with the members that Movable Type and WordPress added; others are ignored. */
export const Post = z.object({
  title: text.optional(),
  description: text.optional(),
  categories: texts.optional(),
  mt_keywords: z.union([text, texts]).optional(),
  mt_excerpt: text.optional(),
  mt_text_more: text.optional(),
  mt_allow_comments: z.union([text, z.number(), z.boolean()]).optional(),
  post_status: text.optional(),
  dateCreated: text.optional(),
  date_created_gmt: text.optional(),
});
export type Post = z.infer<typeof Post>;

/** Values of `mt_allow_comments` that close the comments. */
const CLOSED = new Set<unknown>([0, 2, '0', '2', 'none', 'closed', false]);
const KEYWORD_SEPARATOR = /[,，;；]/;

const SECRET: ReadonlyMap<string, boolean> = new Map([
  ['private', true],
  ['publish', false],
]);

/**
 * Fields of an article that a post contains. Addresses of this site's pictures become relative, as the site's
 * editor writes them.
 */
export function toChanges(post: Post, origin: string): Changes {
  const { title, description, mt_excerpt, mt_text_more = '', mt_allow_comments, post_status } = post;
  const more = mt_text_more.trim() === '' ? '' : `\n\n<!--more-->\n\n${mt_text_more}`;
  return {
    title,
    content:
      description === undefined
        ? undefined
        : (description + more).replaceAll(origin + PICTURE_URL, PICTURE_URL),
    tags: tagsIn(post),
    description: mt_excerpt,
    comments_closed: mt_allow_comments === undefined ? undefined : CLOSED.has(mt_allow_comments),
    secret: SECRET.get(post_status ?? ''),
  };
}

/** Empty keywords without categories change no tag: many editors always send them. */
function tagsIn({ categories, mt_keywords = '' }: Post): string[] | undefined {
  const keywords = [mt_keywords].flat().flatMap((part) => part.split(KEYWORD_SEPARATOR));
  const named = [...(categories ?? []), ...keywords].map((name) => name.trim()).filter((name) => name !== '');
  return categories === undefined && named.length === 0 ? undefined : [...new Set(named)];
}

/** Whether readers shall see the post: `post_status` takes precedence over the method's `publish`. */
export const isForReaders = ({ post_status }: Post, publish: boolean): boolean =>
  publish && post_status !== 'draft' && post_status !== 'pending';

/** Clocks of editors may run ahead; a time this close is now. */
const CLOCK_ERROR_MS = 120_000;

/**
 * The time at which the post shall be published (ISO 8601) if it is in the future; null means now. Texts
 * without a zone are in `timeZone`: most editors send the local time.
 */
export function publishTimeOf({ dateCreated, date_created_gmt }: Post, timeZone: string): string | null {
  const time = date_created_gmt ? readTime(date_created_gmt, 'UTC') : readTime(dateCreated ?? '', timeZone);
  return time !== null && Date.parse(time) > Date.now() + CLOCK_ERROR_MS ? time : null;
}

const TIME = /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Reads `20261127T08:05:31` or ISO 8601; '' is null. Refuses with FIELD_INVALID. */
function readTime(written: string, timeZone: string): string | null {
  if (written === '') return null;
  const [, year, month, day, hour, minute, second, zone] = TIME.exec(written.trim()) ?? [];
  const local = `${year}-${month}-${day}T${hour}:${minute}`;
  const start = zone
    ? Date.parse(local + zone.replace(/(\d{2})(\d{2})$/, '$1:$2'))
    : Date.parse(instantOf(local, timeZone) ?? '');
  if (Number.isNaN(start)) return refuse('FIELD_INVALID', { text: '日期的格式不正确' });
  return new Date(start + Number(second) * 1000).toISOString();
}

/** Members of a post that lists of titles have too. */
export const toHead = (
  { _id, title, create_time }: { _id: string; title: string; create_time: string },
  username: string,
) => ({
  postid: _id,
  userid: username,
  title,
  dateCreated: new Date(create_time),
  date_created_gmt: new Date(create_time),
});

/** All tags are categories, so removing one there removes it. */
export function toPost(
  own: OwnArticle,
  { username, origin }: { username: string; origin: string },
): { readonly [member: string]: RpcValue } {
  const { _id, create_time, status, text: article } = own;
  const link = origin + articleUrl(_id);
  return {
    ...toHead({ _id, create_time, title: article.title }, username),
    description: article.content,
    mt_text_more: '',
    mt_excerpt: article.description ?? '',
    mt_keywords: '',
    mt_allow_comments: article.comments_closed ? 0 : 1,
    categories: article.tags,
    link,
    permaLink: link,
    post_status: status === 'draft' ? 'draft' : article.secret ? 'private' : 'publish',
  };
}
