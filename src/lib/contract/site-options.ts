import { z } from 'zod';
import { booleanField, listField, textField } from './fields.ts';

/** Who may make an account: everybody, whoever has a code, nobody. */
export const SIGNUP_MODES = ['open', 'invitation', 'closed'] as const;

/** Who has to show a proof of work: nobody, whoever signs up, new accounts that comment too. */
export const HUMAN_CHECKS = ['off', 'signup', 'comments'] as const;

export const HOLD_POLICIES = ['none', 'first', 'all'] as const;

/**
 * What the operator settles while the site runs: the rule of each option. What is stored is checked by it,
 * and so is what the console sends.
 */
export const SiteOptions = z.object({
  /** Whether readers can report articles, comments and profiles. */
  reports: booleanField,
  /** Which comments and articles wait for approval: none, an account's first ones, all. */
  holdComments: z.enum(HOLD_POLICIES, { error: '请选择审核方式' }),
  holdArticles: z.enum(HOLD_POLICIES, { error: '请选择审核方式' }),
  /** How many of an account have to be approved, with `first`; an account with fewer is a new one. */
  approvedFirst: z.coerce
    .number({ error: '请填写数目' })
    .int('请填写整数')
    .min(1, '至少 1 条')
    .max(100, '最多 100 条'),
  /** Whether staff have to have two-step verification before they may do anything as staff. */
  secondFactorForStaff: booleanField,
  signup: z.enum(SIGNUP_MODES, { error: '注册方式只能是 open、invitation 或 closed' }),
  humanCheck: z.enum(HUMAN_CHECKS, { error: '请选择何时进行人机验证' }),
  /** Names that nobody can sign up by, beside those that are kept anyway (users/reserved-names.ts). */
  reserved_names: listField(textField('保留的用户名', [1, 20]), '保留的用户名').refine(
    (names) => names.length <= 500,
    { error: '保留的用户名最多 500 个' },
  ),
});
export type SiteOptions = z.infer<typeof SiteOptions>;

/** What holds until the operator says otherwise. */
export const DEFAULT_OPTIONS: SiteOptions = {
  reports: true,
  holdComments: 'none',
  holdArticles: 'none',
  approvedFirst: 3,
  secondFactorForStaff: false,
  signup: 'open',
  humanCheck: 'off',
  reserved_names: [],
};

/** Some options; those left out stay as they are. */
export const SiteOptionChanges = SiteOptions.partial();
export type SiteOptionChanges = z.infer<typeof SiteOptionChanges>;
