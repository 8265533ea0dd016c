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
  AUTHOR_NOTICES,
  NOTICE_MODES,
  USER_NOTICES,
  WEBHOOK_FORMATS,
  WEBHOOK_NOTICES,
} from '../rules/notice-kinds.ts';
import { boolean, choice, instant, int, list, namesOf, object, string } from '../titled.ts';

const MAX_DELIVERIES = 100;

const kindField = <T extends object>(kinds: T) => z.enum(namesOf(kinds), { error: '没有这种通知' });

const NoticeSettings = z.object({
  mode: z.enum(namesOf(NOTICE_MODES), { error: '请选择什么时候发邮件' }).meta({ title: '方式' }),
  kinds: listField(kindField(USER_NOTICES), '通知'),
});

export const ShownNoticeSettings = NoticeSettings.extend({
  has_mail: boolean('网站能不能发邮件'),
  /** Receiving address; the empty string if the user has no verified address. */
  address: string('地址'),
});
export type ShownNoticeSettings = z.infer<typeof ShownNoticeSettings>;

/** A webhook without its address and secret, which are never sent to clients. */
export const Webhook = z.object({
  id: string('编号'),
  name: string('名字'),
  format: choice('格式', namesOf(WEBHOOK_FORMATS)),
  /** Scheme and host of its address. */
  place: string('在哪里'),
  has_secret: boolean('有没有密钥'),
  kinds: list('通知的种类', z.enum(namesOf(WEBHOOK_NOTICES))),
  is_on: boolean('启用没有'),
  /** The newest failure if deliveries have failed and will be retried; only in `noticeOverview`. */
  failing: object('最近的失败', {
    problem: string('问题'),
    tries: int('试过几次'),
    waiting: int('等待着的数目'),
    next_time: instant('下次发送的时间'),
  }).optional(),
});
export type Webhook = z.infer<typeof Webhook>;

export const DeadDelivery = z.object({
  id: string('编号'),
  lane: choice('邮件还是通知地址', ['mail', 'webhook']),
  title: string('标题'),
  kind: string('种类'),
  /** Name of a webhook, or a mail's receiver, partly masked. */
  target: string('发给谁'),
  tries: int('试过几次'),
  time: string('时间'),
  problem: string('问题'),
});
export type DeadDelivery = z.infer<typeof DeadDelivery>;

/** Delivery of a content event to a webhook. */
export const LoggedDelivery = z.object({
  id: string('编号'),
  kind: string('种类'),
  /** `dropped`: there was nothing to send any more. */
  state: choice('状态', ['waiting', 'sent', 'dropped', 'dead']),
  tries: int('试过几次'),
  create_time: instant('新建的时间'),
  /** Time at which it was sent or abandoned; null before. */
  settle_time: z.iso.datetime().nullable().meta({ title: '送到或放弃的时间' }),
  problem: string('问题'),
});
export type LoggedDelivery = z.infer<typeof LoggedDelivery>;

export const NoticeOverview = z.object({
  has_mail: boolean('网站能不能发邮件'),
  webhooks: list('通知地址', Webhook),
  waiting: int('等待着的数目'),
  dead: list('没有送到的通知', DeadDelivery),
  dead_total: int('没有送到的通知的总数'),
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
const webhookFields = <T extends object>(kinds: T) =>
  z.object({
    id: absentField(idField.meta({ title: '编号' }).optional()),
    name: textField('名称', [1, 30]),
    format: z.enum(namesOf(WEBHOOK_FORMATS), { error: '请选择格式' }).meta({ title: '格式' }),
    kinds: listField(kindField(kinds), '通知'),
    is_on: absentField(booleanField('启用没有').default(true)),
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
    input: webhookFields(AUTHOR_NOTICES),
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
    input: z.object({ id: idField.meta({ title: '编号' }), ...pagingFields }),
    output: listOf(LoggedDelivery),
    refusals: ['WEBHOOK_NOT_FOUND'],
  }),
  ownWebhookRetry: write(signedIn(), 'POST /api/user/webhooks/retry', '再发一次自己的记录里的', {
    input: deliveries.extend({ id: idField.meta({ title: '编号' }) }),
    refusals: ['WEBHOOK_NOT_FOUND'],
    writes: [],
  }),
};

const ofNotices = staff('notices.manage');

export const noticeConsoleCalls = {
  noticeOverview: read(
    staff('notices.manage', 'site:read'),
    'POST /api/staff/notices',
    '通知地址，等待和没有送到的通知',
    { output: NoticeOverview },
  ),
  webhookSave: write(ofNotices, 'POST /api/staff/webhook/save', '新建或修改通知地址', {
    description: '没写 id 时新建；没写 url 或 secret 时不变。',
    input: webhookFields(WEBHOOK_NOTICES),
    output: Webhook,
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOKS_TOO_MANY', 'URL_REFUSED'],
  }),
  webhookDelete: write(ofNotices, 'POST /api/staff/webhook/delete', '删除通知地址', {
    input: byId,
    refusals: ['WEBHOOK_NOT_FOUND'],
  }),
  webhookTest: write(ofNotices, 'POST /api/staff/webhook/test', '向通知地址发一条试试', {
    input: byId,
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_FAILED', 'URL_REFUSED', 'URL_UNREACHABLE'],
  }),
  webhookLog: read(ofNotices, 'POST /api/staff/webhook/log', '向通知地址发过的内容变化，新的在前', {
    description: '送到以后留 7 天，没有送到的留 30 天。',
    input: z.object({ id: idField.meta({ title: '编号' }), ...pagingFields }),
    output: listOf(LoggedDelivery),
    refusals: ['WEBHOOK_NOT_FOUND'],
  }),
  mailTest: write(ofNotices, 'POST /api/staff/mail/test', '发一封邮件试试', {
    input: z.object({ to: emailField }),
    refusals: ['MAIL_OFF', 'MAIL_FAILED'],
  }),
  deliveryRetry: write(
    ofNotices,
    'POST /api/staff/delivery/retry',
    '再发一次没有送到的通知，或者记录里的内容变化',
    { input: deliveries },
  ),
  deliveryDiscard: write(ofNotices, 'POST /api/staff/delivery/discard', '丢弃没有送到的通知', {
    input: deliveries,
  }),
};
