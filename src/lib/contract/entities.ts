import { z } from 'zod';
import { WITHHELD_STATES } from './moderation.ts';
import { FIELD_NAMES, specOf, type ExtraName, type FieldName, type KindOf } from './authored-fields.ts';
import { ROLES } from './permissions.ts';

/** CONTRACT.md "Entities". zod drops unknown keys: what is not named here cannot leave the server. */
const id = z.string().regex(/^[0-9a-f]{24}$/);
const instant = z.iso.datetime();

export const User = z.object({
  _id: id,
  username: z.string(),
  avatar: z.string(),
  gender: z.enum(['m', 'f', 'x']),
  bio: z.string(),
  create_time: instant,
  /** Accounts elsewhere, of which there are none here. Two clients search the list. */
  oauthinfo: z.array(z.never()).catch([]),
});
export type User = z.infer<typeof User>;

export const UserInfo = User.extend({
  page_num: z.int(),
  draft_num: z.int(),
  comment_num: z.int(),
  /** Of oneself, where that is more than an author. */
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

export const Article = z.object({
  _id: id,
  ...authored,
  create_user: z.string(),
  create_time: instant,
  update_time: instant,
  status: ArticleStatus,
  type: z.string(),
  /** To its author: nobody else sees it, whatever `secret` is. Held: it waits for approval. */
  moderation: z.enum(['held', 'hidden']).optional(),
  /** In lists of one's own: that it waits, or was taken down, and why. */
  moderation_note: z.string().optional(),
});
export type Article = z.infer<typeof Article>;

/** An article by its title. */
export const TitleItem = z.object({ _id: id, title: z.string() });
export type TitleItem = z.infer<typeof TitleItem>;

/** What its author has changed on an article and not published. */
export const Revision = z.object({
  ...authored,
  revision_time: instant,
  /** The article's update_time at the last save: another one now means it has changed since. */
  base_time: instant,
  /** What the device that saved it calls itself, where that is known. */
  saved_by: z.string().optional(),
});
export type Revision = z.infer<typeof Revision>;

/** An article as its author edits it. */
export const ArticleSource = Article.extend({
  saved_by: Revision.shape.saved_by,
  revision: Revision.optional(),
});
export type ArticleSource = z.infer<typeof ArticleSource>;

/** Safe HTML: escaped text with `<mark>` around what matched. */
export const Highlight = z.object({ title: z.string(), content: z.string() });
export type Highlight = z.infer<typeof Highlight>;

const versionHead = { _id: id, kind: z.enum(['publication', 'draft']), create_time: instant };

/** An earlier text of an article, as a list names it. */
export const VersionItem = z.object({ ...versionHead, title: z.string() });
export type VersionItem = z.infer<typeof VersionItem>;

/** An earlier text of an article: what readers saw (`publication`), or a step on the way. */
export const Version = z.object({ ...authored, ...versionHead });
export type Version = z.infer<typeof Version>;

/** When an article's unpublished text is to be published; `problem`: why that was refused at its time. */
export const Schedule = z.object({ publish_time: instant, problem: z.string().optional() });
export type Schedule = z.infer<typeof Schedule>;

export const ArticleListItem = Article.extend({
  /** In lists of one's own. */
  schedule: Schedule.optional(),
  /** Also there: how often it was read by others, its comments, whether there is an unpublished revision. */
  read_num: z.int().optional(),
  comment_num: z.int().optional(),
  changed: z.boolean().optional(),
  showMore: z.boolean().optional(),
  highlight: Highlight.optional(),
});
export type ArticleListItem = z.infer<typeof ArticleListItem>;

/** A deleted article that can be restored until `purge_time`; `former_status` is what it becomes again. */
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
  to_user: z.string(),
  page_id: id,
  page_title: z.string(),
  create_time: instant,
  is_read: z.boolean(),
  reply_user: z.string(),
  /** What the quoted comment says now; empty where none is quoted, or readers no longer see it. */
  reply_content: z.string(),
  /** Whether it quotes a comment that readers no longer see. */
  reply_gone: z.boolean().optional(),
  /** Place under its article, 1 the oldest, on pages only. What is written later moves no comment. */
  position: z.int().optional(),
  /** When its writer changed it last. */
  edit_time: instant.optional(),
  /** To its author: nobody else sees it. Held: it waits for approval. */
  state: z.enum(WITHHELD_STATES).optional(),
  /** That it waits, or was taken down, and why. */
  note: z.string().optional(),
  /** Names of whom it mentions with an `@`, who are told. Left out where there are none. */
  mentions: z.array(z.string()).optional(),
  /** `content` as safe HTML (markdown/comment.ts), where that is more than its words. Not in whole lists. */
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
  /** In lists: its newest public articles. */
  latest: z.array(TitleItem).optional(),
  /** Of one: everybody's tags that occur with it most, in its newer articles. */
  related: z.array(z.string()).optional(),
});
export type Tag = z.infer<typeof Tag>;

export const Series = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  /** Address of an uploaded picture, or the empty string. */
  cover: z.string(),
  create_user: z.string(),
  create_time: instant,
  update_time: instant,
  /** Articles the caller may see. */
  page_num: z.int(),
});
export type Series = z.infer<typeof Series>;

/** A series with the articles the caller may see, in its order, without their texts. */
export const SeriesDetail = Series.extend({ articles: z.array(Article.omit({ content: true })) });
export type SeriesDetail = z.infer<typeof SeriesDetail>;

/** `{ result, total }`, the shape of every list. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ result: z.array(item), total: z.int() });
export interface List<T> {
  result: T[];
  total: number;
}

/** Hits of a search; what comes after the list is left out by servers that do not know it. */
export const SearchResult = listOf(ArticleListItem).extend({
  /** Hits that hold every word as it was written; the others are looser ones. */
  exact: z.int().optional(),
  /** Authors and tags that most of the best hits have. */
  authors: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  /** The author, and the tag, whose name was searched for. */
  author: z.string().optional(),
  tag: z.string().optional(),
  /** Where nothing was found: what could have been meant. */
  similar: z.array(z.string()).optional(),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** What somebody may be about to search for. */
export const Suggestions = z.object({
  titles: z.array(z.object({ _id: id, title: z.string() })),
  tags: z.array(z.string()),
  authors: z.array(z.string()),
});
export type Suggestions = z.infer<typeof Suggestions>;

export const TokenPair = z.object({ token: z.string(), refresh_token: z.string() });
export type TokenPair = z.infer<typeof TokenPair>;
