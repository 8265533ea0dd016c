import { z } from 'zod';
import { booleanField } from './fields.ts';

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
});
export type SiteOptions = z.infer<typeof SiteOptions>;

/** What holds until the operator says otherwise. */
export const DEFAULT_OPTIONS: SiteOptions = {
  reports: true,
  holdComments: 'none',
  holdArticles: 'none',
  approvedFirst: 3,
  secondFactorForStaff: false,
};

/** Some options; those left out stay as they are. */
export const SiteOptionChanges = SiteOptions.partial();
export type SiteOptionChanges = z.infer<typeof SiteOptionChanges>;
