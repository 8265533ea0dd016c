import { z } from 'zod';
import { byId, open, ownPaging, read, searchField, signedIn, staff, write } from './call.ts';
import { listOf, searchableListOf, TitleItem, WrittenFields } from '../entities.ts';
import {
  absentField,
  emailField,
  idField,
  listField,
  pagingFields,
  textField,
  versionField,
} from '../fields.ts';
import { checkField } from '../human-check.ts';
import { HELD_KINDS, HeldItem, idsField, ReviewDecision } from './moderation-calls.ts';
import { MODERATION_STATES } from '../moderation-moves.ts';
import { HOLD_REASONS, WORD_ACTIONS } from '../rules/moderation.ts';
import { REPORT_REASONS } from '../rules/report-reasons.ts';
import { cursorField, Overview, ReportedThing, StaffArticle, StaffComment } from './staff-calls.ts';
import { boolean, choice, instant, int, list, namesOf, object, string, strings } from '../titled.ts';

const InspectedWord = z.object({
  word: string('词语'),
  category: string('分类'),
  action: choice('处理方式', WORD_ACTIONS),
  /** The word as it is written in the text. */
  written: string('文字里的写法'),
});
export type InspectedWord = z.infer<typeof InspectedWord>;

const said = z.object({ author: string('作者'), content: string('正文') });
/** Everything of an article that its author writes and a reader can see, by the names of `AUTHORED`. */
const ReadFields = z.object({ ...WrittenFields.shape, type: string('类型') });
export type ReadFields = z.infer<typeof ReadFields>;
const titled = { title: '文章的各项' };
const allOfArticle = ReadFields.meta(titled);
/** Places of listed words in a text: start and end in UTF-16 units. */
const ranges = z.array(z.tuple([z.int(), z.int()]).readonly());

export const Inspection = z.object({
  kind: choice('种类', ['article', 'comment']),
  _id: string('编号'),
  article_id: string('文章的编号'),
  author: string('作者'),
  /** Title of the article. */
  title: string('标题'),
  /** The whole text as it was written. */
  content: string('正文'),
  tags: strings('标签'),
  description: string('摘要'),
  /** All fields of an article; absent for a comment. */
  fields: allOfArticle.optional(),
  /** Beginning of the article in lists; empty for a comment. */
  summary: string('开头的文字'),
  /** Titles of the series of `fields`, `change` and `judged`. */
  series_titles: list('专栏的名称', TitleItem),
  /** The version that was read, which a decision names. */
  version: versionField,
  create_time: instant('新建的时间'),
  /** If false, reading was recorded in the audit log. */
  is_public: boolean('公开没有'),
  state: choice('状态', MODERATION_STATES),
  note: string('说明'),
  reasons: list('等待审核的原因', z.enum(namesOf(HOLD_REASONS))),
  /** Listed words in the text, title, tags and summary. */
  words: list('词语', InspectedWord),
  marks: object('词在文字里的位置', {
    title: ranges.meta({ title: '标题' }),
    content: ranges.meta({ title: '正文' }),
  }),
  /** Addresses of uploaded pictures. */
  pictures: strings('图片'),
  /** Newest first; `actor` is empty for the command line. */
  decisions: list('审核的决定，新的在前', ReviewDecision.extend({ actor: string('操作的人，命令行为空') })),
  /** The article's text at the last decision. */
  judged: ReviewDecision.extend({
    title: string('标题'),
    content: string('正文'),
    /** Its other fields; decisions of earlier releases have a part of them. */
    fields: ReadFields.partial().optional().meta(titled),
  })
    .meta({ title: '上次审核时的文字' })
    .optional(),
  /** The change of a public item that waits, as it would be shown; the title is empty for a comment. */
  change: object('等待审核的改动', {
    title: string('标题'),
    content: string('正文'),
    fields: allOfArticle.optional(),
  }).optional(),
  quote: said.meta({ title: '被回复的评论' }).optional(),
  /** Public comments before a comment, oldest first. */
  earlier: list('之前的评论', said).optional(),
});
export type Inspection = z.infer<typeof Inspection>;

const contentFilter = z.object({
  keywords: searchField,
  cursor: cursorField,
  state: absentField(choice('状态', MODERATION_STATES).optional()).catch(undefined),
  ...pagingFields,
});
const optionalReasonField = textField('理由', [0, 200]).optional().default('');
const reportKindField = z.enum(['article', 'comment', 'user'], { error: '只能举报文章、评论或用户' });

/** Moderation actions of staff; `restore` also approves pending items. */
const TAKEDOWNS = ['hide', 'restore', 'delete', 'hold'] as const;
export type Takedown = (typeof TAKEDOWNS)[number];

const noteField = absentField(textField('理由', [0, 200]).default(''));

/** Versions in which staff has read the items, in the order of `ids`. */
const readItems = { ids: idsField, versions: listField(versionField, '版本号') };
const nameVersions = {
  path: ['versions'],
  error: '请写明每一项是在哪个版本上决定的：versions 和 ids 一一对应',
};
const hasVersions = ({ ids, versions }: { ids: string[]; versions: string[] }) =>
  versions.length === ids.length;

const takedownFields = z
  .object({
    ...readItems,
    action: z.enum(TAKEDOWNS, { error: '处理方式不正确' }).meta({ title: '处理方式' }),
    note: noteField,
  })
  .refine(hasVersions, nameVersions);

const decided = {
  /** Ids of the items whose state changed; the others already had it, or no longer exist. */
  done: strings('状态有变化的编号'),
  /** Ids of the items that were left alone because they are no longer in the version that was read. */
  changed: strings('看过之后有变化、没有处理的编号'),
};
/** `versions` are those of `done` after the decision, which allow staff to undo it. */
const takedownDone = z.object({
  ...decided,
  versions: strings('处理后的版本号'),
});

const DECIDING =
  'versions 是读到的 version，和 ids 一一对应。只处理一项而它在那之后改过，就拒绝（VERSION_CHANGED）；处理多项时，改过的不处理，列在 changed 里。';

const ofArticles = staff('articles.moderate', 'moderation');
const ofComments = staff('comments.moderate', 'moderation');
const ofReports = staff('reports.decide', 'moderation');

export const reviewCalls = {
  staffOverview: read(
    staff('console.open', 'site:read'),
    'POST /api/staff/overview',
    '概览：新增、总数、等待处理的、占用的空间和上次备份',
    { output: Overview },
  ),
  heldList: read(ofComments, 'POST /api/staff/held', '等待审核的文章、评论和改动，早的在前', {
    input: z.object({
      ...ownPaging,
      kind: choice('种类', ['', ...HELD_KINDS, 'change']).catch(''),
    }),
    output: listOf(HeldItem),
  }),
  staffRead: read(ofArticles, 'POST /api/staff/read', '阅读一篇文章或一条评论的全文', {
    description: '读没有公开的内容会记入操作记录；草稿和私密文章只有被举报了才读得到。',
    input: z.object({
      kind: z.enum(['article', 'comment'], { error: '只能阅读文章或评论' }).meta({ title: '种类' }),
      id: idField.meta({ title: '编号' }),
    }),
    output: Inspection,
    refusals: ['ARTICLE_NOT_FOUND', 'COMMENT_NOT_FOUND'],
  }),
  articleModerate: write(
    ofArticles,
    'POST /api/staff/articles/moderate',
    '隐藏、恢复、删除文章，或改为等待审核',
    { description: DECIDING, input: takedownFields, output: takedownDone, refusals: ['VERSION_CHANGED'] },
  ),
  commentModerate: write(
    ofComments,
    'POST /api/staff/comments/moderate',
    '隐藏、恢复、删除评论，或改为等待审核',
    { description: DECIDING, input: takedownFields, output: takedownDone, refusals: ['VERSION_CHANGED'] },
  ),
  changeDecide: write(ofArticles, 'POST /api/staff/changes/decide', '通过或退回对公开内容的改动', {
    description: DECIDING,
    input: z
      .object({
        kind: z.enum(HELD_KINDS, { error: '只能处理文章或评论的改动' }).meta({ title: '种类' }),
        ...readItems,
        action: z.enum(['approve', 'refuse'], { error: '处理方式不正确' }).meta({ title: '处理方式' }),
        note: noteField,
      })
      .refine(hasVersions, nameVersions),
    output: z.object(decided),
    refusals: ['VERSION_CHANGED'],
  }),
  staffArticles: read(ofArticles, 'POST /api/staff/articles', '全部文章', {
    input: contentFilter,
    output: searchableListOf(StaffArticle),
  }),
  staffComments: read(ofComments, 'POST /api/staff/comments', '全部评论', {
    input: contentFilter,
    output: searchableListOf(StaffComment),
  }),
  articlePin: write(staff('picks.manage', 'moderation'), 'POST /api/staff/articles/pin', '把文章置顶在首页', {
    input: byId,
    refusals: ['ARTICLE_NOT_FOUND', 'PICKS_TOO_MANY'],
  }),
  articleUnpin: write(
    staff('picks.manage', 'moderation'),
    'POST /api/staff/articles/unpin',
    '取消文章在首页的置顶',
    { input: byId, refusals: ['PICK_NOT_FOUND'] },
  ),
  staffReports: read(ofReports, 'POST /api/staff/reports', '举报，一件内容的合在一起', {
    input: z.object(pagingFields),
    output: listOf(ReportedThing),
  }),
  reportDecide: write(ofReports, 'POST /api/staff/reports/decide', '处理一件内容的全部举报', {
    description: '没写 action 时，举报不成立。内容改过、举报有增减就拒绝（VERSION_CHANGED）。',
    input: z.object({
      kind: reportKindField.meta({ title: '种类' }),
      id: idField.meta({ title: '编号' }),
      version: versionField,
      /** Number of reports that staff has read; others are not decided with them. */
      report_num: z.coerce
        .number('请写明看过几条举报')
        .int('请写明看过几条举报')
        .min(0)
        .max(1e9)
        .meta({ title: '看过的举报的数目' }),
      action: absentField(
        z.enum(['hide', 'delete'], { error: '只能隐藏或删除' }).meta({ title: '处理方式' }).optional(),
      ),
      reason: optionalReasonField,
    }),
    output: z.object({ decided: int('处理了几条举报') }),
    refusals: ['VERSION_CHANGED'],
  }),
};

const reportFields = z.object({
  kind: reportKindField.meta({ title: '种类' }),
  id: textField('举报的对象', [1, 100]),
  reason: z.enum(namesOf(REPORT_REASONS), { error: '请选择举报的理由' }).meta({ title: '理由' }),
  note: textField('补充说明', [0, 500]).optional().default(''),
});

export const reportCalls = {
  visitorReport: write(open(), 'POST /api/report/visitor', '不登录举报文章、评论或用户', {
    description: '要做人机验证（POST /api/check）。处理的结果发到邮箱。',
    input: reportFields.extend({ email: emailField, check: checkField }),
    refusals: [
      'ARTICLE_NOT_FOUND',
      'COMMENT_NOT_FOUND',
      'USER_NOT_FOUND',
      'REPORTED_ALREADY',
      'REPORTS_CLOSED',
      'CHECK_NEEDED',
      'CHECK_FAILED',
    ],
    writes: [],
    isOptional: true,
  }),
  reportCreate: write(signedIn(), 'POST /api/report', '举报文章、评论或用户', {
    input: reportFields,
    refusals: [
      'ARTICLE_NOT_FOUND',
      'COMMENT_NOT_FOUND',
      'USER_NOT_FOUND',
      'NOT_ALLOWED',
      'REPORTED_ALREADY',
      'REPORTS_CLOSED',
      'QUOTA_REACHED',
    ],
    writes: [],
    isOptional: true,
  }),
};
