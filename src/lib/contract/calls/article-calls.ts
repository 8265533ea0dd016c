import { z } from 'zod';
import { ArticleRevision, EditedArticle, NewArticle } from '../article-fields.ts';
import { BODIES, byId, open, ownPaging, read, signedIn, write } from './call.ts';
import {
  Article,
  ArticleListItem,
  ArticleSource,
  listOf,
  Schedule,
  TrashedArticle,
  Version,
  VersionItem,
} from '../entities.ts';
import {
  absentField,
  booleanField,
  countedList,
  idField,
  instantField,
  keywordsField,
  openStatusField,
  pagingFields,
  someText,
  tagField,
  textField,
} from '../fields.ts';
import { ArticleReview } from './moderation-calls.ts';
import { textsJudged } from '../public-texts.ts';
import { BOUNDS } from '../rules/bounds.ts';
import { OWN_SORTS, OWN_STATES } from '../rules/list-filters.ts';
import { SLUG_BOUNDS, slugRule } from '../rules/slugs.ts';
import { boolean, choice, instant, int, list, string } from '../titled.ts';

const ownSort = choice('排序', OWN_SORTS).catch('create_time');
const sort = choice('排序', ['create_time', 'update_time']).catch('create_time');

/** Sent only if there is something to say. */
const notes = list('关于正文里内嵌的图片：哪些没有存成文件，为什么', z.string());

const SavedArticle = z.object({
  id: string('编号'),
  page_num: int('公开的文章数'),
  draft_num: int('草稿数，只有本人看得到'),
  // For a new article sent only if the call has a `request_id`; other servers never send it.
  update_time: instant('修改的时间').optional(),
  notes: notes.optional(),
});

/** `pending`: the change waits for staff, as the unpublished revision; readers see the approved text. */
const EditedAnswer = SavedArticle.extend({
  pending: boolean('是不是等待审核').optional(),
  revision_time: instant('未发布的修改的时间').optional(),
});

/** Maximum articles per call; not in BOUNDS, which browsers load. */
const MAX_ARTICLES = 100;

const seriesField = z
  .string({ error: '请选择专栏' })
  .regex(/^(?:[0-9a-f]{24})?$/, '专栏编号格式不正确')
  .meta({ title: '自己的专栏，空为不放进专栏' });

const tagNames = countedList(tagField, '标签', [0, BOUNDS.tags[1]], '一次最多加减 10 个标签');

/**
 * Result for one article; `problem` is the reason if it was refused. `pending`: readers see the article, or
 * its change, once staff has approved it.
 */
export const SettingsOutcome = z.object({
  id: string('编号'),
  outcome: choice('改了、没有变，还是被拒绝', ['changed', 'same', 'refused']),
  problem: string('问题').optional(),
  pending: boolean('是不是等待审核').optional(),
});
export type SettingsOutcome = z.infer<typeof SettingsOutcome>;

const OWN = ['ARTICLE_NOT_FOUND', 'NOT_YOURS'] as const;
const PUBLISHED = [
  'CONTENT_TOO_COMPLEX',
  'ACCOUNT_FULL',
  'QUOTA_REACHED',
  'WORD_REFUSED',
  'OUTSIDE_REFUSED',
  'SLUG_TAKEN',
] as const;
const PUBLISHING =
  '发布（status 为 normal）要有标题、正文和 1–10 个标签，草稿至少有标题或正文。旧客户端的 tag 与 tags 相同。';
const EMBEDDED =
  '正文里写成 data: 地址的图片先存成文件，正文换成它的地址，不算在正文的字数里；存不了的在 notes 里说明。';
const ARTICLE_TEXTS = textsJudged('article', 'whole').map((name) => `article.${name}` as const);

export const articleCalls = {
  articleList: read(open('articles:read'), 'POST /api/page/pagelist', '公开的文章，新的在前', {
    description:
      'type 为空是全站，tag 是 content 所指标签下的，create_user 是 content 所指用户的；pinned 为 true 时只有用户在主页置顶的。',
    input: z.object({
      type: choice('类型', ['', 'tag', 'create_user']).catch(''),
      content: someText('标签名或用户名'),
      sort,
      pinned: absentField(booleanField('在主页置顶').optional()).catch(undefined),
      ...pagingFields,
    }),
    output: listOf(ArticleListItem),
  }),
  articleDetail: read(open('articles:read'), 'POST /api/page/detail', '一篇文章', {
    description: '草稿和私密文章只有作者读得到。',
    input: byId,
    output: Article,
    refusals: ['ARTICLE_NOT_FOUND'],
  }),
  articleFile: read(open(), 'POST /api/page/file', '一篇公开文章的 Markdown 原文', {
    input: byId,
    output: Article,
    refusals: ['ARTICLE_NOT_FOUND'],
  }),
  articleAddress: read(open('articles:read'), 'GET /api/article/address', '地址 /a/… 所指的文章', {
    description: '从前的地址也认；回答里的 slug 是现在的。',
    input: z.object({ slug: someText('地址') }),
    output: z.object({ id: string('编号'), slug: string('现在的地址') }),
    refusals: ['ARTICLE_NOT_FOUND'],
  }),
  slugSuggest: read(signedIn('articles:read'), 'GET /api/article/slug', '文章的地址：建议一个', {
    description: '没有另选地址的文章，公开时就用建议的这个。',
    input: z.object({
      title: textField('标题', [0, BOUNDS.title[1]]).default(''),
      slug: textField('地址', [0, SLUG_BOUNDS[1]], slugRule).default('').meta({ title: '想用的地址' }),
      id: absentField(idField.optional()).meta({ title: '编号' }),
    }),
    output: z.object({ slug: string('建议的地址'), is_taken: boolean('想用的地址是不是别的文章的') }),
  }),
  articleSource: read(
    signedIn('articles:read'),
    'POST /api/page/editdetail',
    '自己的文章的原文，还有未发布的修改',
    { input: byId, output: ArticleSource, refusals: OWN },
  ),
  ownArticleList: read(signedIn('articles:read'), 'POST /api/page/limitpagelist', '自己的文章或草稿', {
    description: 'content 写自己的用户名；写别人的，得到他公开的文章。带 read_num、comment_num、changed。',
    input: z.object({
      type: z.literal('create_user').catch('create_user'),
      content: someText('用户名'),
      status: choice('状态：normal 发布，draft 草稿，cancel 已删除', ['normal', 'draft']).catch('normal'),
      secret: absentField(booleanField('私密').optional()).catch(undefined),
      sort: ownSort,
      keywords: keywordsField.default('').catch(''),
      tag: someText('标签').optional(),
      state: choice('只要置顶、定时等某一种的', OWN_STATES).optional().catch(undefined),
      ...ownPaging,
    }),
    output: listOf(ArticleListItem),
  }),
  articleCreate: write(signedIn('articles:write'), 'POST /api/page/new', '新建文章或草稿', {
    description: `${PUBLISHING}带 request_id 时，重复发送只新建一篇，回答里有 repeated。${EMBEDDED}`,
    input: NewArticle,
    /** `repeated`: an earlier call with this `request_id` created the article; this one changed nothing. */
    output: SavedArticle.extend({ repeated: boolean('之前已经新建过').optional() }),
    body: BODIES.embedding,
    refusals: PUBLISHED,
    writes: ARTICLE_TEXTS,
  }),
  articleEdit: write(signedIn('articles:write'), 'POST /api/page/edit', '修改自己的文章', {
    description: `${PUBLISHING}带上读到的 update_time，文章在别处改过就拒绝（ARTICLE_CHANGED），什么也不改。没写的扩展字段不变。${EMBEDDED}`,
    input: EditedArticle,
    output: EditedAnswer,
    body: BODIES.embedding,
    refusals: [...OWN, ...PUBLISHED, 'ARTICLE_CHANGED', 'RESUBMIT_UNCHANGED'],
    writes: ARTICLE_TEXTS,
  }),
  articleDelete: write(signedIn('articles:write'), 'POST /api/page/delete', '把自己的文章移到回收站', {
    description: '30 天内可以恢复。',
    input: byId,
    refusals: OWN,
    writes: [],
    isOptional: true,
  }),
  articleSettings: write(signedIn('articles:write'), 'POST /api/page/settings', '修改多篇文章的设置', {
    description: '每篇单独修改，回答里逐篇说明结果；正文不变。',
    input: z.object({
      ids: countedList(idField, '文章编号', [1, MAX_ARTICLES], `一次可以修改 1–${MAX_ARTICLES} 篇文章`),
      status: absentField(openStatusField.optional()),
      secret: absentField(booleanField('私密').optional()),
      comments_closed: absentField(booleanField('关闭评论').optional()),
      series: absentField(seriesField.optional()),
      tags_add: tagNames,
      tags_remove: tagNames,
    }),
    output: z.object({ results: list('每篇的结果', SettingsOutcome) }),
    writes: ARTICLE_TEXTS,
    isOptional: true,
  }),
  revisionSave: write(
    signedIn('articles:write'),
    'POST /api/page/revision',
    '保存对已发布文章的修改，不发布',
    {
      input: ArticleRevision,
      description: EMBEDDED,
      output: z.object({ revision_time: instant('未发布的修改的时间'), notes: notes.optional() }),
      body: BODIES.embedding,
      refusals: [...OWN, 'ARTICLE_CHANGED', 'ACCOUNT_FULL'],
      writes: [],
    },
  ),
  revisionDelete: write(signedIn('articles:write'), 'POST /api/page/revision/delete', '删除未发布的修改', {
    input: byId,
    refusals: OWN,
    writes: [],
  }),
  scheduleSet: write(signedIn('articles:write'), 'POST /api/page/schedule', '定时发布', {
    input: z.object({ id: idField.meta({ title: '编号' }), publish_time: instantField('发布时间') }),
    output: Schedule,
    refusals: [...OWN, 'ARTICLE_CHANGED', 'NOTHING_TO_SCHEDULE', 'TOO_MANY_SCHEDULES', 'CONTENT_TOO_COMPLEX'],
    writes: ARTICLE_TEXTS,
    isOptional: true,
  }),
  scheduleFind: read(signedIn('articles:read'), 'POST /api/page/schedule/detail', '一篇文章的定时发布', {
    input: byId,
    output: z.object({ schedule: Schedule.nullable().meta({ title: '定时发布' }) }),
    refusals: OWN,
  }),
  scheduleCancel: write(signedIn('articles:write'), 'POST /api/page/schedule/cancel', '取消定时发布', {
    input: byId,
    refusals: OWN,
    writes: [],
  }),
  versionList: read(signedIn('articles:read'), 'POST /api/page/versions', '一篇文章的历史版本，新的在前', {
    input: z.object({ id: idField.meta({ title: '编号' }), ...pagingFields }),
    output: listOf(VersionItem),
    refusals: ['ARTICLE_NOT_FOUND'],
    isOptional: true,
  }),
  versionFind: read(signedIn('articles:read'), 'POST /api/page/version', '一个历史版本', {
    input: z.object({ id: idField.meta({ title: '编号' }), version: idField.meta({ title: '版本的编号' }) }),
    output: Version,
    refusals: ['ARTICLE_NOT_FOUND', 'VERSION_NOT_FOUND'],
  }),
  articleReview: read(signedIn('articles:read'), 'POST /api/page/review', '自己的文章的审核状态', {
    input: byId,
    output: ArticleReview,
    refusals: ['ARTICLE_NOT_FOUND'],
    isOptional: true,
  }),
  articleResubmit: write(signedIn('articles:write'), 'POST /api/page/resubmit', '再次提交被退回的文章', {
    input: byId,
    refusals: ['ARTICLE_NOT_FOUND', 'NOTHING_TO_RESUBMIT', 'RESUBMIT_UNCHANGED'],
    writes: [],
  }),
};

export const trashCalls = {
  trashList: read(signedIn('articles:read'), 'POST /api/page/trash', '自己删除的文章', {
    input: z.object(ownPaging),
    output: listOf(TrashedArticle),
  }),
  trashRestore: write(signedIn('articles:write'), 'POST /api/page/restore', '从回收站恢复一篇文章', {
    input: byId,
    output: z.object({
      id: string('编号'),
      status: choice('状态：normal 发布，draft 草稿，cancel 已删除', ['normal', 'draft']),
    }),
    refusals: ['ARTICLE_NOT_FOUND', 'QUOTA_REACHED', 'SLUG_TAKEN'],
    writes: ARTICLE_TEXTS,
    isOptional: true,
  }),
  trashPurge: write(signedIn('articles:write'), 'POST /api/page/purge', '永久删除回收站里的一篇文章', {
    input: byId,
    refusals: ['ARTICLE_NOT_FOUND'],
    writes: [],
  }),
  trashEmpty: write(signedIn('articles:write'), 'POST /api/page/trash/empty', '清空回收站', {
    description: '带 until 时，只删除在那之前移到回收站的。',
    input: z.object({ until: absentField(instantField('截止时间').optional()) }),
    output: z.object({ purged: int('永久删除的篇数') }),
    writes: [],
  }),
};
