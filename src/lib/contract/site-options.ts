import { z } from 'zod';
import { booleanField, countedList, textField } from './fields.ts';
import { namesOf } from './titled.ts';
import {
  ARTICLE_ADDRESS_NAMES,
  CHANGE_POLICY_NAMES,
  HOLD_POLICY_NAMES,
  HUMAN_CHECK_NAMES,
  SIGNUP_MODE_NAMES,
} from './rules/site-rules.ts';
import { START_STEPS } from './rules/start-steps.ts';

const holdPolicy = z.enum(namesOf(HOLD_POLICY_NAMES), { error: '请选择审核方式' });

/**
 * Options that the operator changes at run time. The schema validates stored options and requests of the
 * console.
 */
export const SiteOptions = z.object({
  reports: booleanField('举报'),
  /** Which comments and articles become pending: none, an account's first ones, or all. */
  holdComments: holdPolicy.meta({ title: '哪些评论先审后发' }),
  holdArticles: holdPolicy.meta({ title: '哪些文章先审后发' }),
  /**
   * Which changes of approved texts wait, where new texts of the author would: none, those beyond a small
   * correction, or all.
   */
  holdChanges: z
    .enum(namesOf(CHANGE_POLICY_NAMES), { error: '请选择改动怎样审核' })
    .meta({ title: '哪些改动先审后发' }),
  /** With `first`: number of approvals after which an account is no longer new. */
  approvedFirst: z.coerce
    .number({ error: '请填写数目' })
    .int('请填写整数')
    .min(1, '至少 1 条')
    .max(100, '最多 100 条')
    .meta({ title: '通过几条后不再算新作者' }),
  /** Whether authors may show a picture for thanks below their articles. */
  thanksPictures: booleanField('允许作者放赞赏码'),
  secondFactorForStaff: booleanField('站务要不要两步验证'),
  signup: z
    .enum(namesOf(SIGNUP_MODE_NAMES), { error: '注册方式只能是 open、invitation 或 closed' })
    .meta({ title: '注册的方式' }),
  /** Calls that require a proof of work: none, sign-up, or also comments of new accounts. */
  humanCheck: z
    .enum(namesOf(HUMAN_CHECK_NAMES), { error: '请选择何时进行人机验证' })
    .meta({ title: '什么时候要人机验证' }),
  /** Whether assistants may connect by the Model Context Protocol (rules/protocols.ts). */
  mcp: booleanField('允许智能助手连接'),
  /** Form of an article's address in all links of the site; both forms are always served. */
  articleAddress: z
    .enum(namesOf(ARTICLE_ADDRESS_NAMES), { error: '请选择文章的网址' })
    .meta({ title: '文章的网址' }),
  /** Days for which address and account of each post are recorded; 0 records nothing. */
  keepOrigins: z.coerce
    .number({ error: '请填写天数' })
    .int('请填写整数')
    .min(0, '天数不能小于 0')
    .max(3650, '最多 3650 天')
    .meta({ title: '发表地址保留几天' }),
  /** Names refused at sign-up, in addition to the built-in list (users/reserved-names.ts). */
  reserved_names: countedList(
    textField('保留的用户名', [1, 20]),
    '保留的用户名',
    [0, 500],
    '保留的用户名最多 500 个',
  ),
  /** Steps of the console's page 开始 that the operator has set aside (rules/start-steps.ts). */
  start_skipped: countedList(
    z.enum(namesOf(START_STEPS), { error: '没有这一步' }),
    '开始页里跳过的事',
    [0, 20],
    '开始页里没有这么多事',
  ),
});
export type SiteOptions = z.infer<typeof SiteOptions>;

export const DEFAULT_OPTIONS: SiteOptions = {
  reports: true,
  holdComments: 'none',
  holdArticles: 'none',
  holdChanges: 'size',
  approvedFirst: 3,
  thanksPictures: true,
  secondFactorForStaff: false,
  signup: 'open',
  humanCheck: 'off',
  mcp: false,
  articleAddress: 'id',
  keepOrigins: 0,
  reserved_names: [],
  start_skipped: [],
};

export const SiteOptionChanges = SiteOptions.partial();
export type SiteOptionChanges = z.infer<typeof SiteOptionChanges>;
