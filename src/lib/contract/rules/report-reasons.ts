export const REPORT_REASONS = {
  illegal: '违法违规',
  porn: '色情低俗',
  abuse: '辱骂、人身攻击',
  spam: '广告、刷屏',
  privacy: '泄露他人隐私',
  infringement: '抄袭、侵权',
  other: '其他',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;

export const REPORT_KINDS = { article: '文章', comment: '评论', user: '用户' } as const;
export type ReportKind = keyof typeof REPORT_KINDS;
