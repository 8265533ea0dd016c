import { z } from 'zod';
import { open, signedIn, staff } from './call.ts';
import { listOf, TokenPair } from './entities.ts';
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
} from './fields.ts';
import { ROLES } from './permissions.ts';
import { REPORT_REASONS, type ReportReason } from './report-reasons.ts';
import { routes } from './routes.ts';
import { SiteOptionChanges, SiteOptions } from './site-options.ts';

const nothing = z.object({});
const keyField = z
  .string({ error: '请用完整的链接打开' })
  .trim()
  .min(1, '请用完整的链接打开')
  .max(200, '链接不正确');

const searchField = textField('关键词', [0, 100]).optional().default('').catch('');
const nameField = textField('用户名', [1, 100]);
const REASON = [1, 200] as const;
const reasonField = textField('理由', REASON);
const optionalReasonField = textField('理由', [0, REASON[1]]).optional().default('');
const reportKindField = z.enum(['article', 'comment', 'user'], { error: '只能举报文章、评论或用户' });

export const CONTENT_STATES = ['shown', 'held', 'hidden', 'deleted'] as const;
export type ContentState = (typeof CONTENT_STATES)[number];

const instant = z.iso.datetime();

/** An account as the console lists it. */
export const StaffUser = z.object({
  _id: z.string(),
  username: z.string(),
  role: z.enum(ROLES),
  create_time: instant,
  page_num: z.int(),
  /** While it is banned. */
  ban: z.object({ until: instant.nullable(), reason: z.string() }).optional(),
});
export type StaffUser = z.infer<typeof StaffUser>;

/** An article that is or was for everybody, as the console lists it. */
export const StaffArticle = z.object({
  _id: z.string(),
  title: z.string(),
  summary: z.string(),
  create_user: z.string(),
  create_time: instant,
  state: z.enum(CONTENT_STATES),
  reason: z.string(),
});
export type StaffArticle = z.infer<typeof StaffArticle>;

export const StaffComment = z.object({
  _id: z.string(),
  content: z.string(),
  create_user: z.string(),
  page_id: z.string(),
  page_title: z.string(),
  create_time: instant,
  state: z.enum(CONTENT_STATES),
  reason: z.string(),
});
export type StaffComment = z.infer<typeof StaffComment>;

/** Something that readers have reported, with all that waits to be decided of it. */
export const ReportedThing = z.object({
  kind: z.enum(['article', 'comment', 'user']),
  id: z.string(),
  /** Title, text or name; empty where it is gone by now. */
  text: z.string(),
  author: z.string(),
  page_id: z.string(),
  reports: z.array(
    z.object({ reporter: z.string(), reason: z.string(), note: z.string(), create_time: instant }),
  ),
});
export type ReportedThing = z.infer<typeof ReportedThing>;

export const AuditItem = z.object({
  _id: z.string(),
  create_time: instant,
  /** Empty: on the command line. */
  actor: z.string(),
  action: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  /** JSON. */
  before: z.string(),
  after: z.string(),
});
export type AuditItem = z.infer<typeof AuditItem>;

/** What the console's first page counts. */
export const Overview = z.object({
  /** Of the last seven days. */
  recent: z.object({ articles: z.int(), comments: z.int(), users: z.int() }),
  total: z.object({ articles: z.int(), comments: z.int(), users: z.int() }),
  /** What staff has to decide. */
  waiting: z.object({ held: z.int(), reports: z.int() }),
  /** Bytes of all texts and uploads that accounts hold. */
  stored_bytes: z.int(),
  /** The last days in the site's time zone, the oldest first; `day` is like 2026-03-01. */
  days: z.array(z.object({ day: z.iso.date(), articles: z.int(), comments: z.int(), users: z.int() })),
  storage: z.object({
    database_bytes: z.int(),
    /** Smaller copies included. */
    picture_bytes: z.int(),
    /** What pictures may take in all; null where nothing bounds it. */
    picture_limit: z.int().nullable().optional(),
    /** Whether they take 80 % of that. */
    is_near_limit: z.boolean().optional(),
  }),
  backup: z.object({
    /** Seconds between two that the server makes; null where it makes none. */
    every: z.int().nullable(),
    /** Of the last whole one, by whomever; null: there never was one. */
    time: instant.nullable(),
    bytes: z.int(),
    /** Why the last attempt failed, or empty; to the operator alone, as is `place`. */
    error: z.string(),
    place: z.string(),
    /** Whether one is overdue. */
    is_late: z.boolean(),
  }),
});
export type Overview = z.infer<typeof Overview>;

/** Calls by which a site gets its operator, and those of staff. */
export const staffCalls = {
  operatorSetup: open(
    'write',
    routes.operatorSetup,
    z
      .object({
        key: keyField,
        username: usernameField,
        password: passwordField,
        repassword: repeatedPasswordField,
      })
      .refine((body) => body.password === body.repassword, {
        path: ['repassword'],
        error: '两次填写的密码不一致',
      })
      .transform(({ key, username, password }) => ({ key, username, password })),
    TokenPair,
  ),
  operatorClaim: signedIn('write', routes.operatorClaim, z.object({ key: keyField }), z.string()),
  staffOverview: staff('read', 'console.open', routes.staffOverview, nothing, Overview),
  staffUsers: staff(
    'read',
    'users.read',
    routes.staffUsers,
    z.object({
      keywords: searchField,
      role: absentField(z.enum(ROLES).optional()).catch(undefined),
      banned: absentField(booleanField.optional()).catch(undefined),
      ...pagingFields,
    }),
    listOf(StaffUser),
  ),
  userBan: staff(
    'write',
    'users.ban',
    routes.userBan,
    z.object({
      username: nameField,
      /** Left out: for good. */
      until: absentField(instantField('封禁的结束时间').optional()),
      reason: reasonField,
      hides: absentField(booleanField.default(false)),
    }),
    z.string(),
  ),
  userUnban: staff('write', 'users.ban', routes.userUnban, z.object({ username: nameField }), z.string()),
  userRole: staff(
    'write',
    'users.role',
    routes.userRole,
    z.object({
      username: nameField,
      role: z.enum(ROLES, { error: '身份只能是 author、editor 或 operator' }),
    }),
    z.string(),
  ),
  staffArticles: staff(
    'read',
    'articles.moderate',
    routes.staffArticles,
    z.object({
      keywords: searchField,
      state: absentField(z.enum(CONTENT_STATES).optional()).catch(undefined),
      ...pagingFields,
    }),
    listOf(StaffArticle),
  ),
  staffComments: staff(
    'read',
    'comments.moderate',
    routes.staffComments,
    z.object({
      keywords: searchField,
      state: absentField(z.enum(CONTENT_STATES).optional()).catch(undefined),
      ...pagingFields,
    }),
    listOf(StaffComment),
  ),
  staffReports: staff(
    'read',
    'reports.decide',
    routes.staffReports,
    z.object({ ...pagingFields }),
    listOf(ReportedThing),
  ),
  reportDecide: staff(
    'write',
    'reports.decide',
    routes.reportDecide,
    z.object({
      kind: reportKindField,
      id: idField,
      /** What becomes of an article or comment; left out: the reports are dismissed. */
      action: absentField(z.enum(['hide', 'delete'], { error: '只能隐藏或删除' }).optional()),
      reason: optionalReasonField,
    }),
    z.object({ decided: z.int() }),
  ),
  reportCreate: signedIn(
    'write',
    routes.reportCreate,
    z.object({
      kind: reportKindField,
      /** Of an article or comment its id, of a user the name. */
      id: textField('举报的对象', [1, 100]),
      reason: z.enum(Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]], {
        error: '请选择举报的理由',
      }),
      note: textField('补充说明', [0, 500]).optional().default(''),
    }),
    z.string(),
  ),
  auditList: staff(
    'read',
    'audit.read',
    routes.auditList,
    z.object({ keywords: searchField, ...pagingFields }),
    listOf(AuditItem),
  ),
  auditExport: staff(
    'read',
    'audit.read',
    routes.auditExport,
    z.object({ keywords: searchField }),
    z.object({ csv: z.string() }),
  ),
  siteOptions: staff('read', 'options.read', routes.siteOptions, nothing, SiteOptions),
  siteOptionsChange: staff(
    'write',
    'options.change',
    routes.siteOptionsChange,
    SiteOptionChanges,
    SiteOptions,
  ),
};
