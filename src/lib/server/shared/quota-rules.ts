import { MIB } from '../../contract/rules/units.ts';

interface QuotaRule {
  span: 'day' | 'minute' | 'ever';
  /** Environment variable, in units of `unit`; 0 allows nothing. */
  setting: `QUOTA_${string}`;
  /** Default of the setting, above what human authors need. */
  most: number;
  unit: number;
  text(most: number): string;
}

export const QUOTAS = {
  uploads: {
    span: 'day',
    setting: 'QUOTA_UPLOADS',
    most: 500,
    unit: 1,
    text: (most) => `今天上传的图片已达上限（${most} 张），请明天再试`,
  },
  uploadBytes: {
    span: 'day',
    setting: 'QUOTA_UPLOAD_MB',
    most: 500,
    unit: MIB,
    text: (most) => `今天上传的图片已达上限（${most} MB），请明天再试`,
  },
  pictureMs: {
    span: 'day',
    setting: 'QUOTA_PICTURE_SECONDS',
    most: 1_200,
    unit: 1_000,
    text: (most) => `今天处理图片的时间已达上限（${most} 秒），请明天再试`,
  },
  comments: {
    span: 'day',
    setting: 'QUOTA_COMMENTS',
    most: 500,
    unit: 1,
    text: (most) => `今天发表的评论已达上限（${most} 条），请明天再试`,
  },
  commentsInMinute: {
    span: 'minute',
    setting: 'QUOTA_COMMENTS_MINUTE',
    most: 20,
    unit: 1,
    text: (most) => `评论过于频繁，一分钟最多 ${most} 条，请稍后再试`,
  },
  tags: {
    span: 'day',
    setting: 'QUOTA_TAGS',
    most: 100,
    unit: 1,
    text: (most) => `今天新建的标签已达上限（${most} 个），请明天再试`,
  },
  articles: {
    span: 'day',
    setting: 'QUOTA_ARTICLES',
    most: 200,
    unit: 1,
    text: (most) => `今天新建的文章和草稿已达上限（${most} 篇），请明天再试`,
  },
  reports: {
    span: 'day',
    setting: 'QUOTA_REPORTS',
    most: 50,
    unit: 1,
    text: (most) => `今天的举报已达上限（${most} 次），请明天再试`,
  },
  storage: {
    span: 'ever',
    setting: 'QUOTA_STORAGE_MB',
    most: 5120,
    unit: MIB,
    text: (most) => `存储空间已用完（图片和文章共 ${most} MB），这次没有保存。需要更多空间请联系站长`,
  },
} as const satisfies Record<string, QuotaRule>;

export type QuotaKind = keyof typeof QUOTAS;
export type QuotaSetting = (typeof QUOTAS)[QuotaKind]['setting'];
export type SpanQuota = {
  [Kind in QuotaKind]: (typeof QUOTAS)[Kind]['span'] extends 'ever' ? never : Kind;
}[QuotaKind];
/** Limit of each quota; in bytes if the setting is in megabytes. */
export type QuotaLimits = Record<QuotaKind, number>;
