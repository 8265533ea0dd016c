import { z } from 'zod';
import { BOUNDS } from '../../../../contract/rules/bounds.ts';
import { PICTURE_URL } from '../../../../contract/rules/pictures.ts';
import { articleUrl } from '../../../../shared/urls.ts';
import { shownDate, type Changes, type OwnArticle } from '../own-article.ts';
import type { RpcValue } from '../../../http/xml-rpc-answer.ts';

export const text = z.string();
/** A text of a post: an article has at most 200,000 characters, of up to two units each. */
const bounded = text.max(2 * BOUNDS.content[1]);
const texts = z.array(bounded);

/**
 * A post of MetaWeblog with the members that Movable Type and WordPress added; others are ignored. Its text
 * may contain pictures, so only the size of the call bounds it.
 */
export const Post = z.object({
  title: bounded.optional(),
  description: text.optional(),
  categories: texts.optional(),
  mt_keywords: z.union([bounded, texts]).optional(),
  mt_excerpt: bounded.optional(),
  mt_text_more: text.optional(),
  mt_allow_comments: z.union([text, z.number(), z.boolean()]).optional(),
  post_status: bounded.optional(),
  dateCreated: bounded.optional(),
  date_created_gmt: bounded.optional(),
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
    comments_closed: (mt_allow_comments ?? '') === '' ? undefined : CLOSED.has(mt_allow_comments),
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

/** Members of a post that lists of titles have too. */
export const toHead = (
  { _id, title, ...dates }: Pick<OwnArticle, '_id' | 'scheduled' | 'create_time'> & { title: string },
  username: string,
) => ({
  postid: _id,
  userid: username,
  title,
  dateCreated: new Date(shownDate(dates)),
  date_created_gmt: new Date(shownDate(dates)),
});

/** All tags are categories, so removing one there removes it. */
export function toPost(
  own: OwnArticle,
  { username, origin }: { username: string; origin: string },
): { readonly [member: string]: RpcValue } {
  const { _id, status, scheduled, text: article } = own;
  const link = origin + articleUrl(_id, own.address);
  return {
    ...toHead({ ...own, title: article.title }, username),
    description: article.content,
    mt_text_more: '',
    mt_excerpt: article.description ?? '',
    mt_keywords: '',
    mt_allow_comments: article.comments_closed ? 0 : 1,
    categories: article.tags,
    link,
    permaLink: link,
    post_status:
      status === 'draft' ? (scheduled === null ? 'draft' : 'future') : article.secret ? 'private' : 'publish',
  };
}
