import { z } from 'zod';
import { boolean, choice, instant, int, list, string, strings } from './titled.ts';
import { WITHHELD_STATES } from './rules/moderation.ts';
import { FIELD_NAMES, specOf, type ExtraName, type FieldName, type KindOf } from './rules/authored-fields.ts';
import { ROLES } from './rules/permissions.ts';

/**
 * CONTRACT.md "Entities". zod drops unknown keys, so the server cannot leak fields that are not listed here.
 */
const id = z.string().regex(/^[0-9a-f]{24}$/);
export const User = z.object({
  _id: id.meta({ title: '编号' }),
  username: string('用户名'),
  avatar: string('头像的文件名'),
  gender: choice('性别：m 男，f 女，x 不写', ['m', 'f', 'x']),
  bio: string('个人简介'),
  create_time: instant('新建的时间'),
  oauthinfo: list('总是空的', z.never()).catch([]),
  /** Absent, like `website` and `profile_links`, unless the user has set it. */
  display_name: string('显示名').optional(),
  website: string('个人网站').optional(),
  profile_links: strings('个人资料里的链接').optional(),
  /** Absent if the operator does not allow it, and from servers of older versions. */
  thanks: string('赞赏码图片的网址，没有就是空的').optional(),
});
export type User = z.infer<typeof User>;

export const UserInfo = User.extend({
  page_num: int('公开的文章数'),
  draft_num: int('草稿数，只有本人看得到'),
  comment_num: int('评论数'),
  /** Only for the caller's own account, if it is staff. */
  role: choice('身份', ROLES).optional(),
});
export type UserInfo = z.infer<typeof UserInfo>;

export const ArticleStatus = z.enum(['normal', 'draft', 'cancel']);
export type ArticleStatus = z.infer<typeof ArticleStatus>;

const kinds = { text: string, names: strings, switch: boolean };
type KindSchema<N extends FieldName> = ReturnType<(typeof kinds)[KindOf<N>]>;
type AuthoredShape = {
  [N in FieldName]: N extends ExtraName ? z.ZodOptional<KindSchema<N>> : KindSchema<N>;
};
const authored = Object.fromEntries(
  FIELD_NAMES.map((name) => {
    const { kind, label, isExtra } = specOf(name);
    const schema = kinds[kind](label);
    return [name, isExtra ? schema.optional() : schema];
  }),
) as AuthoredShape;

/** All fields that an author writes, also those that are empty. */
export const WrittenFields = z.object(
  Object.fromEntries(FIELD_NAMES.map((name) => [name, kinds[specOf(name).kind](specOf(name).label)])) as {
    [N in FieldName]: KindSchema<N>;
  },
);

/**
 * Slug with which the site links a public article, as `/a/{address}`; absent where it links `/detail/{id}`.
 */
const address = string('链接里的地址，没有就用编号').optional();

export const Article = z.object({
  _id: id.meta({ title: '编号' }),
  ...authored,
  address,
  create_user: string('作者的用户名'),
  author_name: string('作者的显示名，没有就不出现').optional(),
  create_time: instant('新建的时间'),
  update_time: instant('修改的时间'),
  status: ArticleStatus.meta({ title: '状态：normal 发布，draft 草稿，cancel 已删除' }),
  type: string('类型'),
  /**
   * Only sent to the author; other readers do not see the article, whatever `secret` says. `held` means
   * pending.
   */
  moderation: choice('审核状态，只有作者看得到', ['held', 'hidden']).optional(),
  moderation_note: string('审核的说明').optional(),
  can_resubmit: boolean('能不能再次提交').optional(),
  is_page: boolean('是网站的页面，不是就不出现').optional(),
  page: string('搜索结果和订阅源里的页面的地址，链接是 /p/{page}').optional(),
});
export type Article = z.infer<typeof Article>;

export const TitleItem = z.object({ _id: id.meta({ title: '编号' }), title: string('标题'), address });
export type TitleItem = z.infer<typeof TitleItem>;

export const Revision = z.object({
  ...authored,
  revision_time: instant('未发布的修改的时间'),
  /** The article's `update_time` at the last save; if it differs now, the article has changed since. */
  base_time: instant('修改所依据的版本的 update_time'),
  saved_by: string('保存它的客户端').optional(),
});
export type Revision = z.infer<typeof Revision>;

/** Planned publication of an article's unpublished text; `problem` is the reason if it failed. */
export const Schedule = z.object({ publish_time: instant('发布的时间'), problem: string('问题').optional() });
export type Schedule = z.infer<typeof Schedule>;

export const ArticleSource = Article.extend({
  saved_by: Revision.shape.saved_by,
  revision: Revision.meta({ title: '未发布的修改' }).optional(),
  schedule: Schedule.meta({ title: '定时发布' }).optional(),
});
export type ArticleSource = z.infer<typeof ArticleSource>;

/** Safe HTML: escaped text with `<mark>` around matches. */
export const Highlight = z.object({ title: string('标题'), content: string('正文') });
export type Highlight = z.infer<typeof Highlight>;

const versionHead = {
  _id: id.meta({ title: '编号' }),
  kind: choice('种类', ['publication', 'draft']),
  create_time: instant('新建的时间'),
};

export const VersionItem = z.object({ ...versionHead, title: string('标题') });
export type VersionItem = z.infer<typeof VersionItem>;

/** Earlier version of an article: a published text (`publication`) or an intermediate draft. */
export const Version = z.object({ ...authored, ...versionHead });
export type Version = z.infer<typeof Version>;

export const ArticleListItem = Article.extend({
  schedule: Schedule.meta({ title: '定时发布' }).optional(),
  /**
   * In the author's own lists only, as is `schedule`: reads by others, comments, and whether there is an
   * unpublished revision.
   */
  read_num: int('阅读数').optional(),
  comment_num: int('评论数').optional(),
  changed: boolean('改动的数目').optional(),
  /** State of a change that waits for staff or was refused. */
  change_note: string('改动的审核状态').optional(),
  showMore: boolean('正文是不是没有完').optional(),
  highlight: Highlight.meta({ title: '命中处有 <mark> 的标题和正文' }).optional(),
});
export type ArticleListItem = z.infer<typeof ArticleListItem>;

/** Deleted article that can be restored to `former_status` until `purge_time`. */
export const TrashedArticle = ArticleListItem.extend({
  former_status: choice('删除之前的状态', ['normal', 'draft']),
  removed_time: instant('删除的时间'),
  purge_time: instant('永久删除的时间'),
});
export type TrashedArticle = z.infer<typeof TrashedArticle>;

export const Comment = z.object({
  _id: id.meta({ title: '编号' }),
  content: string('评论的文字'),
  create_user: string('作者的用户名'),
  /** Display names of `create_user` and `reply_user`; absent without one. */
  author_name: string('作者的显示名，没有就不出现').optional(),
  reply_name: string('被回复的用户的显示名，没有就不出现').optional(),
  to_user: string('文章的作者'),
  page_id: id.meta({ title: '文章的编号' }),
  page_title: string('文章的标题'),
  create_time: instant('新建的时间'),
  is_read: boolean('读过没有'),
  reply_user: string('被回复的用户'),
  reply_content: string('被回复的评论的文字'),
  /** The beginning of `reply_content` without markup, if that is another text. */
  reply_quote: string('被回复的评论的开头，没有标记').optional(),
  reply_gone: boolean('被回复的评论已经看不到').optional(),
  /** The comment that it answers, if readers see that. */
  reply_id: id.meta({ title: '被回复的评论的编号' }).optional(),
  /**
   * Position under the article, from 1 for the oldest; only on pages. Later comments do not change it. In the
   * order of conversations it is the position in that order.
   */
  position: int('从最早的一条数起的位置').optional(),
  edit_time: instant('修改的时间').optional(),
  /** Only sent to the author; other readers do not see the comment. `held` means pending. */
  state: choice('状态', WITHHELD_STATES).optional(),
  note: string('说明').optional(),
  /** Only sent to the author: a new text that waits for staff or was refused. Readers see `content`. */
  pending_content: string('等待审核的新文字').optional(),
  mentions: strings('提到的用户').optional(),
  /** `content` as safe HTML (markdown/comment.ts), if it has markup. Not in lists without pages. */
  html: string('安全的 HTML').optional(),
});
export type Comment = z.infer<typeof Comment>;

export const Tag = z.object({
  _id: id.meta({ title: '编号' }),
  name: string('名字'),
  description: string('摘要'),
  create_user: string('作者的用户名'),
  create_time: instant('新建的时间'),
  update_time: instant('修改的时间'),
  page_num: int('公开的文章数'),
  latest: list('最新的文章', TitleItem).optional(),
  /** For a single tag: the tags that occur most often with it, over all authors, in its newer articles. */
  related: strings('相关的').optional(),
});
export type Tag = z.infer<typeof Tag>;

export const Series = z.object({
  _id: id.meta({ title: '编号' }),
  title: string('标题'),
  description: string('摘要'),
  cover: string('封面'),
  create_user: string('作者的用户名'),
  author_name: string('作者的显示名，没有就不出现').optional(),
  create_time: instant('新建的时间'),
  update_time: instant('修改的时间'),
  page_num: int('公开的文章数'),
});
export type Series = z.infer<typeof Series>;

export const SeriesDetail = Series.extend({
  articles: list('文章', Article.omit({ content: true })),
});
export type SeriesDetail = z.infer<typeof SeriesDetail>;

export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ result: list('这一页的内容', item), total: int('总数') });
export interface List<T> {
  result: T[];
  total: number;
}

/** A list that can be searched in parts: `cursor` continues the search and is null after the last part. */
export const searchableListOf = <T extends z.ZodType>(item: T) =>
  listOf(item).extend({
    cursor: z.string().nullable().meta({ title: '分段查找时，下一段的位置' }).optional(),
    searched_to: z.iso.datetime().nullable().meta({ title: '已经查到的时间' }).optional(),
  });
export interface SearchableList<T> extends List<T> {
  cursor?: string | null | undefined;
  searched_to?: string | null | undefined;
}

/** Search results; older servers omit the fields after the list. */
/** Servers of older versions do not have it. */
const authorNames = list(
  '回答里有显示名的作者',
  z.object({ username: string('用户名'), display_name: string('显示名') }),
).optional();

export const SearchResult = listOf(ArticleListItem).extend({
  exact: int('每个词都原样命中的篇数').optional(),
  authors: strings('作者的名字').optional(),
  author_names: authorNames,
  tags: strings('标签').optional(),
  author: string('作者').optional(),
  tag: string('标签').optional(),
  similar: strings('意思可能是的搜索词').optional(),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const Suggestions = z.object({
  titles: list('标题', TitleItem),
  tags: strings('标签'),
  authors: strings('作者的名字'),
  author_names: authorNames,
});
export type Suggestions = z.infer<typeof Suggestions>;

export const TokenPair = z.object({ token: string('令牌'), refresh_token: string('换新令牌用的令牌') });
export type TokenPair = z.infer<typeof TokenPair>;

/** Another site that this one links to. */
export const Friend = z.object({
  name: string('网站名称'),
  url: string('网址'),
  description: string('介绍'),
  logo: string('图标在本站的地址，没有是空的'),
  feed: string('订阅源的网址，没有是空的'),
  group: string('分组，可以是空的'),
  is_unreachable: boolean('是不是一直打不开'),
});
export type Friend = z.infer<typeof Friend>;
