export const USER_NOTICES = {
  comment: '有人评论我的文章',
  reply: '有人回复我',
  mention: '有人提到我',
  moderation: '审核和处理的结果',
  report: '读者的举报（站务收到）',
} as const;
export type UserNotice = keyof typeof USER_NOTICES;
export const userNotices = Object.keys(USER_NOTICES) as UserNotice[];

/** Separates user and kinds in the text that an unsubscribe token signs. */
export const UNSUBSCRIBE_SEPARATOR = '-';

/** Kinds of mails that an unsubscribe token ends, without a check of its signature; none means all. */
export function kindsInToken(token: string): UserNotice[] {
  const [text = ''] = token.split('.', 1);
  const [, ...named] = text.split(UNSUBSCRIBE_SEPARATOR);
  return userNotices.filter((kind) => named.includes(kind));
}

/** Entries of a user's list of notifications. */
export const NOTIFICATIONS = {
  decision: '审核和处理的结果',
  report: '举报的结果',
} as const;
export type NotificationKind = keyof typeof NOTIFICATIONS;

/** Results of decisions and of reports. */
export const NOTIFICATION_RESULTS = [
  'approved',
  'refused',
  'hidden',
  'deleted',
  'restored',
  'change_approved',
  'change_refused',
  'removed',
  'banned',
  'unbanned',
  'upheld',
  'dismissed',
] as const;
export type NotificationResult = (typeof NOTIFICATION_RESULTS)[number];

/** Changes of public articles, for programs (contract/webhook-events.ts); authors may receive their own. */
export const AUTHOR_NOTICES = {
  'article.published': '文章公开',
  'article.updated': '公开的文章有修改',
  'article.withdrawn': '文章不再公开',
  'comment.created': '评论公开',
  'comment.approved': '评论通过审核或恢复',
} as const;

export const CONTENT_NOTICES = { ...AUTHOR_NOTICES, 'user.created': '账号注册' } as const;
export type ContentNotice = keyof typeof CONTENT_NOTICES;

export const WEBHOOK_NOTICES = {
  comment: '新评论',
  held: '有内容等待审核',
  report: '读者的举报',
  signup: '新用户',
  alarm: '运行告警',
  ...CONTENT_NOTICES,
} as const;
export type WebhookNotice = keyof typeof WEBHOOK_NOTICES;

export const WEBHOOK_FORMATS = {
  json: '通用 JSON（Standard Webhooks 签名）',
  wecom: '企业微信群机器人',
  dingtalk: '钉钉群机器人',
  feishu: '飞书群机器人',
} as const;
export type WebhookFormat = keyof typeof WEBHOOK_FORMATS;

export const NOTICE_MODES = {
  off: '不发邮件',
  now: '立即',
  daily: '每天汇总一次',
} as const;
export type NoticeMode = keyof typeof NOTICE_MODES;
