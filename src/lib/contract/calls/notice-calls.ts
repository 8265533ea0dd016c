import { z } from 'zod';
import { byId, read, signedIn, staff, write } from './call.ts';
import { listOf } from '../entities.ts';
import {
  absentField,
  booleanField,
  countedList,
  emailField,
  idField,
  listField,
  pagingFields,
  textField,
} from '../fields.ts';
import {
  AUTHOR_NOTICE_NAMES,
  NOTICE_MODE_NAMES,
  USER_NOTICE_NAMES,
  WEBHOOK_FORMAT_NAMES,
  WEBHOOK_NOTICE_NAMES,
} from '../rules/notice-kinds.ts';

const instant = z.iso.datetime();
const MAX_DELIVERIES = 100;

const kindField = <T extends [string, ...string[]]>(names: T) => z.enum(names, { error: '没有这种通知' });

const NoticeSettings = z.object({
  mode: z.enum(NOTICE_MODE_NAMES, { error: '请选择什么时候发邮件' }),
  kinds: listField(kindField(USER_NOTICE_NAMES), '通知'),
});

export const ShownNoticeSettings = NoticeSettings.extend({
  has_mail: z.boolean(),
  /** Receiving address; the empty string if the user has no verified address. */
  address: z.string(),
});
export type ShownNoticeSettings = z.infer<typeof ShownNoticeSettings>;

/** A webhook without its address and secret, which are never sent to clients. */
export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  format: z.enum(WEBHOOK_FORMAT_NAMES),
  /** Scheme and host of its address. */
  place: z.string(),
  has_secret: z.boolean(),
  kinds: z.array(z.enum(WEBHOOK_NOTICE_NAMES)),
  is_on: z.boolean(),
  /** The newest failure if deliveries have failed and will be retried; only in `noticeOverview`. */
  failing: z.object({ problem: z.string(), tries: z.int(), waiting: z.int(), next_time: instant }).optional(),
});
export type Webhook = z.infer<typeof Webhook>;

export const DeadDelivery = z.object({
  id: z.string(),
  lane: z.enum(['mail', 'webhook']),
  title: z.string(),
  kind: z.string(),
  /** Name of a webhook, or a mail's receiver, partly masked. */
  target: z.string(),
  tries: z.int(),
  time: z.string(),
  problem: z.string(),
});
export type DeadDelivery = z.infer<typeof DeadDelivery>;

/** Delivery of a content event to a webhook. */
export const LoggedDelivery = z.object({
  id: z.string(),
  kind: z.string(),
  /** `dropped`: there was nothing to send any more. */
  state: z.enum(['waiting', 'sent', 'dropped', 'dead']),
  tries: z.int(),
  create_time: instant,
  /** Time at which it was sent or abandoned; null before. */
  settle_time: instant.nullable(),
  problem: z.string(),
});
export type LoggedDelivery = z.infer<typeof LoggedDelivery>;

export const NoticeOverview = z.object({
  has_mail: z.boolean(),
  webhooks: z.array(Webhook),
  waiting: z.int(),
  dead: z.array(DeadDelivery),
  dead_total: z.int(),
});
export type NoticeOverview = z.infer<typeof NoticeOverview>;

const isWebAddress = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};
const urlField = textField('地址', [1, 1000]).refine(isWebAddress, {
  error: '地址应以 https:// 或 http:// 开头',
});
/** Without `id`, creates a webhook; an omitted address or secret stays unchanged. */
const webhookFields = <T extends [string, ...string[]]>(kinds: T) =>
  z.object({
    id: absentField(idField.optional()),
    name: textField('名称', [1, 30]),
    format: z.enum(WEBHOOK_FORMAT_NAMES, { error: '请选择格式' }),
    kinds: listField(kindField(kinds), '通知'),
    is_on: absentField(booleanField.default(true)),
    url: absentField(urlField.optional()),
    secret: absentField(textField('密钥', [0, 200]).optional()),
  });
const deliveryField = z
  .string({ error: '请提供编号' })
  .regex(/^[0-9a-f]{24}(?:\.\d{1,15})?$/, '编号格式不正确');
const deliveries = z.object({
  ids: countedList(deliveryField, '编号', [1, MAX_DELIVERIES], `一次 1–${MAX_DELIVERIES} 条`),
});

export const ownNoticeCalls = {
  noticeSettings: read(signedIn(), 'POST /api/notice/settings', '自己的邮件通知设置', {
    output: ShownNoticeSettings,
  }),
  noticeSettingsChange: write(signedIn(), 'POST /api/notice/settings/change', '修改自己的邮件通知设置', {
    input: NoticeSettings,
    output: ShownNoticeSettings,
    writes: [],
  }),
  ownWebhookList: read(signedIn(), 'POST /api/user/webhooks', '自己的文章有变化时的通知地址', {
    output: z.array(Webhook),
    isOptional: true,
  }),
  ownWebhookSave: write(signedIn(), 'POST /api/user/webhooks/save', '新建或修改自己的通知地址', {
    description: '最多 5 个，只能发往公开的网站。没写 id 时新建；没写 url 或 secret 时不变。',
    input: webhookFields(AUTHOR_NOTICE_NAMES),
    output: Webhook,
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOKS_TOO_MANY', 'URL_REFUSED'],
    writes: [],
  }),
  ownWebhookDelete: write(signedIn(), 'POST /api/user/webhooks/delete', '删除自己的通知地址', {
    input: byId,
    refusals: ['WEBHOOK_NOT_FOUND'],
    writes: [],
  }),
  ownWebhookTest: write(signedIn(), 'POST /api/user/webhooks/test', '向自己的通知地址发一条试试', {
    input: byId,
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_FAILED', 'URL_REFUSED', 'URL_UNREACHABLE'],
    writes: [],
  }),
  ownWebhookLog: read(signedIn(), 'POST /api/user/webhooks/log', '向自己的通知地址发过的，新的在前', {
    input: z.object({ id: idField, ...pagingFields }),
    output: listOf(LoggedDelivery),
    refusals: ['WEBHOOK_NOT_FOUND'],
  }),
  ownWebhookRetry: write(signedIn(), 'POST /api/user/webhooks/retry', '再发一次自己的记录里的', {
    input: deliveries.extend({ id: idField }),
    refusals: ['WEBHOOK_NOT_FOUND'],
    writes: [],
  }),
};

export const noticeConsoleCalls = {
  noticeOverview: read(
    staff('notices.manage', 'site:read'),
    'POST /api/staff/notices',
    '通知地址，等待和没有送到的通知',
    { output: NoticeOverview },
  ),
  webhookSave: write(staff('notices.manage'), 'POST /api/staff/webhook/save', '新建或修改通知地址', {
    description: '没写 id 时新建；没写 url 或 secret 时不变。',
    input: webhookFields(WEBHOOK_NOTICE_NAMES),
    output: Webhook,
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOKS_TOO_MANY', 'URL_REFUSED'],
  }),
  webhookDelete: write(staff('notices.manage'), 'POST /api/staff/webhook/delete', '删除通知地址', {
    input: byId,
    refusals: ['WEBHOOK_NOT_FOUND'],
  }),
  webhookTest: write(staff('notices.manage'), 'POST /api/staff/webhook/test', '向通知地址发一条试试', {
    input: byId,
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_FAILED', 'URL_REFUSED', 'URL_UNREACHABLE'],
  }),
  /** Content events of the last days, newest first. */
  webhookLog: read(
    staff('notices.manage'),
    'POST /api/staff/webhook/log',
    '向通知地址发过的内容变化，新的在前',
    {
      description: '送到以后留 7 天，没有送到的留 30 天。',
      input: z.object({ id: idField, ...pagingFields }),
      output: listOf(LoggedDelivery),
      refusals: ['WEBHOOK_NOT_FOUND'],
    },
  ),
  mailTest: write(staff('notices.manage'), 'POST /api/staff/mail/test', '发一封邮件试试', {
    input: z.object({ to: emailField }),
    refusals: ['MAIL_OFF', 'MAIL_FAILED'],
  }),
  deliveryRetry: write(
    staff('notices.manage'),
    'POST /api/staff/delivery/retry',
    '再发一次没有送到的通知，或者记录里的内容变化',
    { input: deliveries },
  ),
  deliveryDiscard: write(staff('notices.manage'), 'POST /api/staff/delivery/discard', '丢弃没有送到的通知', {
    input: deliveries,
  }),
};
