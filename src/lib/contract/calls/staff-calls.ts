import { z } from 'zod';
import { read, searchField, staff, write } from './call.ts';
import { proof } from './credentials.ts';
import { listOf, searchableListOf } from '../entities.ts';
import { absentField, booleanField, instantField, pagingFields, textField, versionField } from '../fields.ts';
import { MODERATION_STATES } from '../moderation-moves.ts';
import { ROLES } from '../rules/permissions.ts';
import { boolean, choice, instant, int, list, object, string } from '../titled.ts';

const nameField = textField('用户名', [1, 100]);
const reasonField = textField('理由', [1, 200]);
/** A search in parts begins with `start` and continues with the `cursor` of the last part. */
export const cursorField = absentField(
  z
    .string({ error: '查找的位置应为文本' })
    .regex(/^(start|-?\d{1,16}(\.[0-9a-f]{24})?)$/, '查找的位置不对，请重新查找')
    .meta({ title: '分段查找时，下一段的位置' })
    .optional(),
);

const authorName = string('作者的显示名，没有就不出现').optional();

export const StaffUser = z.object({
  _id: string('编号'),
  username: string('用户名'),
  display_name: string('显示名，没有就不出现').optional(),
  role: choice('身份', ROLES),
  create_time: instant('新建的时间'),
  page_num: int('公开的文章数'),
  ban: object('封禁', {
    until: z.iso.datetime().nullable().meta({ title: '到什么时候' }),
    reason: string('理由'),
  }).optional(),
});
export type StaffUser = z.infer<typeof StaffUser>;

export const StaffArticle = z.object({
  _id: string('编号'),
  title: string('标题'),
  summary: string('开头的文字'),
  create_user: string('作者的用户名'),
  author_name: authorName,
  create_time: instant('新建的时间'),
  state: choice('状态', MODERATION_STATES),
  reason: string('理由'),
  version: versionField,
  is_pinned: boolean('置顶没有'),
});
export type StaffArticle = z.infer<typeof StaffArticle>;

export const StaffComment = z.object({
  _id: string('编号'),
  content: string('正文'),
  create_user: string('作者的用户名'),
  author_name: authorName,
  page_id: string('文章的编号'),
  page_title: string('文章的标题'),
  create_time: instant('新建的时间'),
  state: choice('状态', MODERATION_STATES),
  reason: string('理由'),
  version: versionField,
});
export type StaffComment = z.infer<typeof StaffComment>;

export const ReportedThing = z.object({
  kind: choice('种类', ['article', 'comment', 'user']),
  id: string('编号'),
  /** Title, text or name; empty if the item no longer exists. */
  text: string('文字'),
  author: string('作者'),
  author_name: authorName,
  page_id: string('文章的编号'),
  /** Empty if the item no longer exists. */
  version: versionField,
  /** Number of reports to be decided; `reports` has the newest. */
  report_num: int('举报的数目'),
  reports: list(
    '举报',
    z.object({
      reporter: string('举报的人'),
      reporter_name: string('举报的人的显示名，没有就不出现').optional(),
      reason: string('理由'),
      note: string('说明'),
      create_time: instant('新建的时间'),
    }),
  ),
});
export type ReportedThing = z.infer<typeof ReportedThing>;

export const AuditItem = z.object({
  _id: string('编号'),
  create_time: instant('新建的时间'),
  actor: string('操作的人，命令行为空'),
  action: string('处理方式'),
  subject_kind: string('对象的种类'),
  subject_id: string('对象的编号'),
  /** Current name of the subject if it is an account. */
  subject_name: string('对象现在的名字').optional(),
  before: string('之前，JSON'),
  after: string('之后，JSON'),
});
export type AuditItem = z.infer<typeof AuditItem>;

const counts = { articles: int('文章'), comments: int('评论'), users: int('用户') };

export const Overview = z.object({
  recent: object('最近 7 天', counts),
  total: object('总数', counts),
  waiting: object('等待着的数目', { held: int('等待审核的数目'), reports: int('举报') }),
  stored_bytes: int('占用的字节数'),
  /** Last days in the site's time zone, oldest first; `day` is like 2026-03-01. */
  days: list('天数', z.object({ day: z.iso.date().meta({ title: '日期' }), ...counts })),
  storage: object('空间', {
    database_bytes: int('数据库的字节数'),
    /** Includes smaller variants. */
    picture_bytes: int('图片的字节数'),
    /** Maximum bytes of all pictures; null if there is no limit. */
    picture_limit: z.int().nullable().meta({ title: '图片的字节上限' }).optional(),
    /** Whether they take 80 % of the limit. */
    is_near_limit: boolean('是不是快满了').optional(),
  }),
  backup: object('备份', {
    /** Seconds between the server's own backups; null if it makes none. */
    every: z.int().nullable().meta({ title: '间隔的秒数' }),
    /** Time of the last complete backup, by any means; null before the first. */
    time: z.iso.datetime().nullable().meta({ title: '时间' }),
    bytes: int('字节数'),
    /** Error of the last attempt, or empty. Only sent to the operator, as is `place`. */
    error: string('出错的原因'),
    place: string('在哪里'),
    is_late: boolean('是不是晚了'),
  }),
});
export type Overview = z.infer<typeof Overview>;

export const userCalls = {
  staffUsers: read(staff('users.read', 'moderation'), 'POST /api/staff/users', '全部账号', {
    input: z.object({
      keywords: searchField,
      cursor: cursorField,
      role: absentField(choice('身份', ROLES).optional()).catch(undefined),
      banned: absentField(booleanField('只要封禁着的').optional()).catch(undefined),
      ...pagingFields,
    }),
    output: searchableListOf(StaffUser),
  }),
  userBan: write(staff('users.ban', 'moderation'), 'POST /api/staff/users/ban', '封禁账号', {
    description: '没写 until 时是永久；hides 为 true 时同时隐藏他公开的内容。',
    input: z.object({
      username: nameField.meta({ title: '用户名' }),
      until: absentField(
        instantField('封禁的结束时间').meta({ title: '封禁到什么时候，没有就是永久' }).optional(),
      ),
      reason: reasonField,
      hides: absentField(booleanField('同时隐藏公开的内容').default(false)),
    }),
    refusals: ['USER_NOT_FOUND'],
  }),
  userUnban: write(staff('users.ban', 'moderation'), 'POST /api/staff/users/unban', '解除封禁', {
    input: z.object({ username: nameField.meta({ title: '用户名' }) }),
    refusals: ['USER_NOT_FOUND'],
  }),
  userRole: write(staff('users.role'), 'POST /api/staff/users/role', '任命或免去站务、站长', {
    description: '任命或免去站长要填自己的密码。',
    input: z.object({
      username: nameField.meta({ title: '用户名' }),
      role: z.enum(ROLES, { error: '身份只能是 author、editor 或 operator' }).meta({ title: '身份' }),
      password: proof.password.optional(),
      code: proof.code,
    }),
    refusals: ['USER_NOT_FOUND', 'LAST_OPERATOR', 'PASSWORD_WRONG', 'CODE_WRONG'],
  }),
};

export const auditCalls = {
  auditList: read(staff('audit.read', 'site:read'), 'POST /api/staff/audit', '操作记录', {
    input: z.object({ keywords: searchField, ...pagingFields }),
    output: listOf(AuditItem),
  }),
  auditExport: read(staff('audit.read', 'site:read'), 'POST /api/staff/audit/export', '导出操作记录', {
    input: z.object({ keywords: searchField }),
    output: z.object({ csv: string('CSV 表格') }),
  }),
};
