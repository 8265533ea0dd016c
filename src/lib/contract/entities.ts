import { z } from 'zod';
import { WITHHELD_STATES } from './rules/moderation.ts';
import { FIELD_NAMES, specOf, type ExtraName, type FieldName, type KindOf } from './rules/authored-fields.ts';
import { ROLES } from './rules/permissions.ts';

/**
 * CONTRACT.md "Entities". zod drops unknown keys, so the server cannot leak fields that are not listed here.
 */
const id = z.string().regex(/^[0-9a-f]{24}$/);
const instant = z.iso.datetime();

export const User = z.object({
  _id: id,
  username: z.string(),
  avatar: z.string(),
  gender: z.enum(['m', 'f', 'x']),
  bio: z.string(),
  create_time: instant,
  oauthinfo: z.array(z.never()).catch([]),
  /** Absent, like `website` and `profile_links`, unless the user has set it. */
  display_name: z.string().optional(),
  website: z.string().optional(),
  profile_links: z.array(z.string()).optional(),
});
export type User = z.infer<typeof User>;

export const UserInfo = User.extend({
  page_num: z.int(),
  draft_num: z.int(),
  comment_num: z.int(),
  /** Only for the caller's own account, if it is staff. */
  role: z.enum(ROLES).optional(),
});
export type UserInfo = z.infer<typeof UserInfo>;

export const ArticleStatus = z.enum(['normal', 'draft', 'cancel']);
export type ArticleStatus = z.infer<typeof ArticleStatus>;

const kinds = { text: z.string(), names: z.array(z.string()), switch: z.boolean() };
type KindSchema<N extends FieldName> = (typeof kinds)[KindOf<N>];
type AuthoredShape = {
  [N in FieldName]: N extends ExtraName ? z.ZodOptional<KindSchema<N>> : KindSchema<N>;
};
const authored = Object.fromEntries(
  FIELD_NAMES.map((name) => {
    const { kind, isExtra } = specOf(name);
    return [name, isExtra ? kinds[kind].optional() : kinds[kind]];
  }),
) as AuthoredShape;

/** All fields that an author writes, also those that are empty. */
export const WrittenFields = z.object(
  Object.fromEntries(FIELD_NAMES.map((name) => [name, kinds[specOf(name).kind]])) as {
    [N in FieldName]: KindSchema<N>;
  },
);

export const Article = z.object({
  _id: id,
  ...authored,
  create_user: z.string(),
  /** Display name of `create_user`; absent without one. */
  author_name: z.string().optional(),
  create_time: instant,
  update_time: instant,
  status: ArticleStatus,
  type: z.string(),
  /**
   * Only sent to the author; other readers do not see the article, whatever `secret` says. `held` means
   * pending.
   */
  moderation: z.enum(['held', 'hidden']).optional(),
  moderation_note: z.string().optional(),
  /** Whether the author may submit the article to staff again. */
  can_resubmit: z.boolean().optional(),
});
export type Article = z.infer<typeof Article>;

export const TitleItem = z.object({ _id: id, title: z.string() });
export type TitleItem = z.infer<typeof TitleItem>;

export const Revision = z.object({
  ...authored,
  revision_time: instant,
  /** The article's `update_time` at the last save; if it differs now, the article has changed since. */
  base_time: instant,
  saved_by: z.string().optional(),
});
export type Revision = z.infer<typeof Revision>;

/** Planned publication of an article's unpublished text; `problem` is the reason if it failed. */
export const Schedule = z.object({ publish_time: instant, problem: z.string().optional() });
export type Schedule = z.infer<typeof Schedule>;

export const ArticleSource = Article.extend({
  saved_by: Revision.shape.saved_by,
  revision: Revision.optional(),
  schedule: Schedule.optional(),
});
export type ArticleSource = z.infer<typeof ArticleSource>;

/** Safe HTML: escaped text with `<mark>` around matches. */
export const Highlight = z.object({ title: z.string(), content: z.string() });
export type Highlight = z.infer<typeof Highlight>;

const versionHead = { _id: id, kind: z.enum(['publication', 'draft']), create_time: instant };

export const VersionItem = z.object({ ...versionHead, title: z.string() });
export type VersionItem = z.infer<typeof VersionItem>;

/** Earlier version of an article: a published text (`publication`) or an intermediate draft. */
export const Version = z.object({ ...authored, ...versionHead });
export type Version = z.infer<typeof Version>;

export const ArticleListItem = Article.extend({
  schedule: Schedule.optional(),
  /**
   * In the author's own lists only, as is `schedule`: reads by others, comments, and whether there is an
   * unpublished revision.
   */
  read_num: z.int().optional(),
  comment_num: z.int().optional(),
  changed: z.boolean().optional(),
  /** State of a change that waits for staff or was refused. */
  change_note: z.string().optional(),
  showMore: z.boolean().optional(),
  highlight: Highlight.optional(),
});
export type ArticleListItem = z.infer<typeof ArticleListItem>;

/** Deleted article that can be restored to `former_status` until `purge_time`. */
export const TrashedArticle = ArticleListItem.extend({
  former_status: z.enum(['normal', 'draft']),
  removed_time: instant,
  purge_time: instant,
});
export type TrashedArticle = z.infer<typeof TrashedArticle>;

export const Comment = z.object({
  _id: id,
  content: z.string(),
  create_user: z.string(),
  /** Display names of `create_user` and `reply_user`; absent without one. */
  author_name: z.string().optional(),
  reply_name: z.string().optional(),
  to_user: z.string(),
  page_id: id,
  page_title: z.string(),
  create_time: instant,
  is_read: z.boolean(),
  reply_user: z.string(),
  reply_content: z.string(),
  reply_gone: z.boolean().optional(),
  /** Position under the article, from 1 for the oldest; only on pages. Later comments do not change it. */
  position: z.int().optional(),
  edit_time: instant.optional(),
  /** Only sent to the author; other readers do not see the comment. `held` means pending. */
  state: z.enum(WITHHELD_STATES).optional(),
  note: z.string().optional(),
  /** Only sent to the author: a new text that waits for staff or was refused. Readers see `content`. */
  pending_content: z.string().optional(),
  mentions: z.array(z.string()).optional(),
  /** `content` as safe HTML (markdown/comment.ts), if it has markup. Not in lists without pages. */
  html: z.string().optional(),
});
export type Comment = z.infer<typeof Comment>;

export const Tag = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  create_user: z.string(),
  create_time: instant,
  update_time: instant,
  page_num: z.int(),
  latest: z.array(TitleItem).optional(),
  /** For a single tag: the tags that occur most often with it, over all authors, in its newer articles. */
  related: z.array(z.string()).optional(),
});
export type Tag = z.infer<typeof Tag>;

export const Series = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  cover: z.string(),
  create_user: z.string(),
  author_name: z.string().optional(),
  create_time: instant,
  update_time: instant,
  page_num: z.int(),
});
export type Series = z.infer<typeof Series>;

export const SeriesDetail = Series.extend({ articles: z.array(Article.omit({ content: true })) });
export type SeriesDetail = z.infer<typeof SeriesDetail>;

export const listOf = <T extends z.ZodType>(item: T) => z.object({ result: z.array(item), total: z.int() });
export interface List<T> {
  result: T[];
  total: number;
}

/** A list that can be searched in parts: `cursor` continues the search and is null after the last part. */
export const searchableListOf = <T extends z.ZodType>(item: T) =>
  listOf(item).extend({
    cursor: z.string().nullable().optional(),
    searched_to: z.iso.datetime().nullable().optional(),
  });
export interface SearchableList<T> extends List<T> {
  cursor?: string | null | undefined;
  searched_to?: string | null | undefined;
}

/** Search results; older servers omit the fields after the list. */
export const SearchResult = listOf(ArticleListItem).extend({
  exact: z.int().optional(),
  authors: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  author: z.string().optional(),
  tag: z.string().optional(),
  similar: z.array(z.string()).optional(),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const Suggestions = z.object({
  titles: z.array(z.object({ _id: id, title: z.string() })),
  tags: z.array(z.string()),
  authors: z.array(z.string()),
});
export type Suggestions = z.infer<typeof Suggestions>;

export const TokenPair = z.object({ token: z.string(), refresh_token: z.string() });
export type TokenPair = z.infer<typeof TokenPair>;
