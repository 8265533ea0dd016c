import { z } from 'zod';
import { proof } from './account-calls.ts';
import { byId, nothing, notice, open, searchField, signedIn, staff, passwordsDiffer } from './call.ts';
import { listOf, searchableListOf, TokenPair } from '../entities.ts';
import {
  absentField,
  booleanField,
  idField,
  instantField,
  pagingFields,
  passwordField,
  repeatedPasswordField,
  textField,
  usernameField,
  versionField,
} from '../fields.ts';
import { MODERATION_STATES } from '../moderation-moves.ts';
import { ROLES } from '../rules/permissions.ts';
import { REPORT_REASONS, type ReportReason } from '../rules/report-reasons.ts';
import { SiteOptionChanges, SiteOptions } from '../site-options.ts';

const keyField = z
  .string({ error: '请用完整的链接打开' })
  .trim()
  .min(1, '请用完整的链接打开')
  .max(200, '链接不正确');

const nameField = textField('用户名', [1, 100]);
const REASON = [1, 200] as const;
const reasonField = textField('理由', REASON);
const optionalReasonField = textField('理由', [0, REASON[1]]).optional().default('');
const reportKindField = z.enum(['article', 'comment', 'user'], { error: '只能举报文章、评论或用户' });

const instant = z.iso.datetime();

/** A search in parts begins with `start` and continues with the `cursor` of the last part. */
const cursorField = absentField(
  z
    .string({ error: '查找的位置应为文本' })
    .regex(/^(start|-?\d{1,16}(\.[0-9a-f]{24})?)$/, '查找的位置不对，请重新查找')
    .optional(),
);

const contentFilter = z.object({
  keywords: searchField,
  cursor: cursorField,
  state: absentField(z.enum(MODERATION_STATES).optional()).catch(undefined),
  ...pagingFields,
});

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

export const staffCalls = {
  operatorSetup: open(
    'write',
    z
      .object({
        key: keyField,
        username: usernameField,
        password: passwordField,
        repassword: repeatedPasswordField,
      })
      .refine((body) => body.password === body.repassword, passwordsDiffer)
      .transform(({ key, username, password }) => ({ key, username, password })),
    TokenPair,
  ),
  operatorClaim: signedIn('write', z.object({ key: keyField }), notice),
  staffOverview: staff('read', 'console.open', nothing, Overview),
  staffUsers: staff(
    'read',
    'users.read',
    z.object({
      keywords: searchField,
      cursor: cursorField,
      role: absentField(z.enum(ROLES).optional()).catch(undefined),
      banned: absentField(booleanField.optional()).catch(undefined),
      ...pagingFields,
    }),
    searchableListOf(StaffUser),
  ),
  userBan: staff(
    'write',
    'users.ban',
    z.object({
      username: nameField,
      /** If omitted, the ban is permanent. */
      until: absentField(instantField('封禁的结束时间').optional()),
      reason: reasonField,
      hides: absentField(booleanField.default(false)),
    }),
    notice,
  ),
  userUnban: staff('write', 'users.ban', z.object({ username: nameField }), notice),
  /** `proof` is needed to appoint or dismiss an operator. */
  userRole: staff(
    'write',
    'users.role',
    z.object({
      username: nameField,
      role: z.enum(ROLES, { error: '身份只能是 author、editor 或 operator' }),
      password: proof.password.optional(),
      code: proof.code,
    }),
    notice,
  ),
  staffArticles: staff('read', 'articles.moderate', contentFilter, searchableListOf(StaffArticle)),
  articlePin: staff('write', 'picks.manage', byId, notice),
  articleUnpin: staff('write', 'picks.manage', byId, notice),
  staffComments: staff('read', 'comments.moderate', contentFilter, searchableListOf(StaffComment)),
  staffReports: staff('read', 'reports.decide', z.object(pagingFields), listOf(ReportedThing)),
  reportDecide: staff(
    'write',
    'reports.decide',
    z.object({
      kind: reportKindField,
      id: idField,
      version: versionField,
      /** Number of reports that staff has read; others are not decided with them. */
      report_num: z.coerce
        .number('请写明看过几条举报')
        .int('请写明看过几条举报')
        .min(0)
        .max(1e9)
        .meta({ title: '看过的举报的数目' }),
      /** Action on an article or comment; if omitted, the reports are dismissed. */
      action: absentField(z.enum(['hide', 'delete'], { error: '只能隐藏或删除' }).optional()),
      reason: optionalReasonField,
    }),
    z.object({ decided: z.int() }),
  ),
  reportCreate: signedIn(
    'write',
    z.object({
      kind: reportKindField,
      id: textField('举报的对象', [1, 100]),
      reason: z.enum(Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]], {
        error: '请选择举报的理由',
      }),
      note: textField('补充说明', [0, 500]).optional().default(''),
    }),
    notice,
  ),
  auditList: staff(
    'read',
    'audit.read',
    z.object({ keywords: searchField, ...pagingFields }),
    listOf(AuditItem),
  ),
  auditExport: staff(
    'read',
    'audit.read',
    z.object({ keywords: searchField }),
    z.object({ csv: z.string() }),
  ),
  siteOptions: staff('read', 'options.read', nothing, SiteOptions),
  siteOptionsChange: staff('write', 'options.change', SiteOptionChanges, SiteOptions),
};
