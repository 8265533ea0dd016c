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

/** A limit per day on `what`, counted in `measure`. */
const daily = <Setting extends QuotaRule['setting']>(
  setting: Setting,
  most: number,
  [what, measure]: [what: string, measure: string],
  unit = 1,
) => ({
  span: 'day' as const,
  setting,
  most,
  unit,
  text: (limit: number) => `今天${what}已达上限（${limit} ${measure}），请明天再试`,
});

export const QUOTAS = {
  uploads: daily('QUOTA_UPLOADS', 500, ['上传的图片', '张']),
  uploadBytes: daily('QUOTA_UPLOAD_MB', 500, ['上传的图片', 'MB'], MIB),
  pictureMs: daily('QUOTA_PICTURE_SECONDS', 1_200, ['处理图片的时间', '秒'], 1_000),
  comments: daily('QUOTA_COMMENTS', 500, ['发表的评论', '条']),
  commentsInMinute: {
    span: 'minute',
    setting: 'QUOTA_COMMENTS_MINUTE',
    most: 20,
    unit: 1,
    text: (most) => `评论过于频繁，一分钟最多 ${most} 条，请稍后再试`,
  },
  tags: daily('QUOTA_TAGS', 100, ['新建的标签', '个']),
  articles: daily('QUOTA_ARTICLES', 200, ['新建的文章和草稿', '篇']),
  /** Each change evicts every cached page. */
  displayNames: daily('QUOTA_DISPLAY_NAMES', 50, ['修改显示名', '次']),
  reports: daily('QUOTA_REPORTS', 50, ['的举报', '次']),
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
