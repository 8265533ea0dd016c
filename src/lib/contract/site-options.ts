import { z } from 'zod';
import { booleanField } from './fields.ts';

/**
 * What the operator settles while the site runs: the rule of each option. What is stored is checked by it,
 * and so is what the console sends.
 */
export const SiteOptions = z.object({
  /** Whether readers can report articles, comments and profiles. */
  reports: booleanField,
  /** Whether staff have to have two-step verification before they may do anything as staff. */
  secondFactorForStaff: booleanField,
});
export type SiteOptions = z.infer<typeof SiteOptions>;

/** What holds until the operator says otherwise. */
export const DEFAULT_OPTIONS: SiteOptions = {
  reports: true,
  secondFactorForStaff: false,
};

/** Some options; those left out stay as they are. */
export const SiteOptionChanges = SiteOptions.partial();
export type SiteOptionChanges = z.infer<typeof SiteOptionChanges>;
