import { z } from 'zod';
import { read, searchField, staff, write } from './call.ts';
import { proof } from './credentials.ts';
import { listOf, searchableListOf } from '../entities.ts';
import { absentField, booleanField, instantField, pagingFields, textField, versionField } from '../fields.ts';
import { MODERATION_STATES } from '../moderation-moves.ts';
import { ROLES } from '../rules/permissions.ts';

const nameField = textField('用户名', [1, 100]);
const reasonField = textField('理由', [1, 200]);
const instant = z.iso.datetime();

/** A search in parts begins with `start` and continues with the `cursor` of the last part. */
export const cursorField = absentField(
  z
    .string({ error: '查找的位置应为文本' })
    .regex(/^(start|-?\d{1,16}(\.[0-9a-f]{24})?)$/, '查找的位置不对，请重新查找')
    .optional(),
);

export const StaffUser = z.object({
  _id: z.string(),
  username: z.string(),
  role: z.enum(ROLES),
  create_time: instant,
  page_num: z.int(),
  ban: z.object({ until: instant.nullable(), reason: z.string() }).optional(),
});
export type StaffUser = z.infer<typeof StaffUser>;

export const StaffArticle = z.object({
  _id: z.string(),
  title: z.string(),
  summary: z.string(),
  create_user: z.string(),
  create_time: instant,
  state: z.enum(MODERATION_STATES),
  reason: z.string(),
  version: versionField,
  /** Whether it is pinned to the front page. */
  is_pinned: z.boolean(),
});
export type StaffArticle = z.infer<typeof StaffArticle>;

export const StaffComment = z.object({
  _id: z.string(),
  content: z.string(),
  create_user: z.string(),
  page_id: z.string(),
  page_title: z.string(),
  create_time: instant,
  state: z.enum(MODERATION_STATES),
  reason: z.string(),
  version: versionField,
});
export type StaffComment = z.infer<typeof StaffComment>;

export const ReportedThing = z.object({
  kind: z.enum(['article', 'comment', 'user']),
  id: z.string(),
  /** Title, text or name; empty if the item no longer exists. */
  text: z.string(),
  author: z.string(),
  page_id: z.string(),
  /** Empty if the item no longer exists. */
  version: versionField,
  /** Number of reports to be decided; `reports` has the newest. */
  report_num: z.int().meta({ title: '举报的数目' }),
  reports: z.array(
    z.object({ reporter: z.string(), reason: z.string(), note: z.string(), create_time: instant }),
  ),
});
export type ReportedThing = z.infer<typeof ReportedThing>;

export const AuditItem = z.object({
  _id: z.string(),
  create_time: instant,
  /** Empty if done on the command line. */
  actor: z.string(),
  action: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  /** Current name of the subject if it is an account. */
  subject_name: z.string().optional(),
  /** JSON; `after` too. */
  before: z.string(),
  after: z.string(),
});
export type AuditItem = z.infer<typeof AuditItem>;

export const Overview = z.object({
  /** Last seven days. */
  recent: z.object({ articles: z.int(), comments: z.int(), users: z.int() }),
  total: z.object({ articles: z.int(), comments: z.int(), users: z.int() }),
  waiting: z.object({ held: z.int(), reports: z.int() }),
  stored_bytes: z.int(),
  /** Last days in the site's time zone, oldest first; `day` is like 2026-03-01. */
  days: z.array(z.object({ day: z.iso.date(), articles: z.int(), comments: z.int(), users: z.int() })),
  storage: z.object({
    database_bytes: z.int(),
    /** Includes smaller variants. */
    picture_bytes: z.int(),
    /** Maximum bytes of all pictures; null if there is no limit. */
    picture_limit: z.int().nullable().optional(),
    /** Whether they take 80 % of the limit. */
    is_near_limit: z.boolean().optional(),
  }),
  backup: z.object({
    /** Seconds between the server's own backups; null if it makes none. */
    every: z.int().nullable(),
    /** Time of the last complete backup, by any means; null before the first. */
    time: instant.nullable(),
    bytes: z.int(),
    /** Error of the last attempt, or empty. Only sent to the operator, as is `place`. */
    error: z.string(),
    place: z.string(),
    is_late: z.boolean(),
  }),
});
export type Overview = z.infer<typeof Overview>;

export const userCalls = {
  staffUsers: read(staff('users.read', 'moderation'), 'POST /api/staff/users', '全部账号', {
    input: z.object({
      keywords: searchField,
      cursor: cursorField,
      role: absentField(z.enum(ROLES).optional()).catch(undefined),
      banned: absentField(booleanField.optional()).catch(undefined),
      ...pagingFields,
    }),
    output: searchableListOf(StaffUser),
  }),
  userBan: write(staff('users.ban', 'moderation'), 'POST /api/staff/users/ban', '封禁账号', {
    description: '没写 until 时是永久；hides 为 true 时同时隐藏他公开的内容。',
    input: z.object({
      username: nameField,
      /** If omitted, the ban is permanent. */
      until: absentField(instantField('封禁的结束时间').optional()),
      reason: reasonField,
      hides: absentField(booleanField.default(false)),
    }),
    refusals: ['USER_NOT_FOUND'],
  }),
  userUnban: write(staff('users.ban', 'moderation'), 'POST /api/staff/users/unban', '解除封禁', {
    input: z.object({ username: nameField }),
    refusals: ['USER_NOT_FOUND'],
  }),
  /** `proof` is needed to appoint or dismiss an operator. */
  userRole: write(staff('users.role'), 'POST /api/staff/users/role', '任命或免去站务、站长', {
    description: '任命或免去站长要填自己的密码。',
    input: z.object({
      username: nameField,
      role: z.enum(ROLES, { error: '身份只能是 author、editor 或 operator' }),
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
    output: z.object({ csv: z.string() }),
  }),
};
