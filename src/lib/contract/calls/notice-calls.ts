import { z } from 'zod';
import { byId, nothing, notice, signedIn, staff } from './call.ts';
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

export const noticeCalls = {
  ownWebhookList: signedIn('read', nothing, z.array(Webhook)),
  ownWebhookSave: signedIn('write', webhookFields(AUTHOR_NOTICE_NAMES), Webhook),
  ownWebhookDelete: signedIn('write', byId, notice),
  ownWebhookTest: signedIn('write', byId, notice),
  ownWebhookLog: signedIn('read', z.object({ id: idField, ...pagingFields }), listOf(LoggedDelivery)),
  ownWebhookRetry: signedIn('write', deliveries.extend({ id: idField }), notice),
  noticeSettings: signedIn('read', nothing, ShownNoticeSettings),
  noticeSettingsChange: signedIn('write', NoticeSettings, ShownNoticeSettings),
  noticeOverview: staff('read', 'notices.manage', nothing, NoticeOverview),
  webhookSave: staff('write', 'notices.manage', webhookFields(WEBHOOK_NOTICE_NAMES), Webhook),
  webhookDelete: staff('write', 'notices.manage', byId, notice),
  webhookTest: staff('write', 'notices.manage', byId, notice),
  /** Content events of the last days, newest first. */
  webhookLog: staff(
    'read',
    'notices.manage',
    z.object({ id: idField, ...pagingFields }),
    listOf(LoggedDelivery),
  ),
  mailTest: staff('write', 'notices.manage', z.object({ to: emailField }), notice),
  deliveryRetry: staff('write', 'notices.manage', deliveries, notice),
  deliveryDiscard: staff('write', 'notices.manage', deliveries, notice),
};
