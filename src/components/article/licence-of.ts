import type { ArticlePage, Site } from '../../lib/blog/blog.ts';
import { LICENCES, type Licence } from '../../lib/contract/rules/licences.ts';

/** Returns the licence that the author chose, else the site's default, which does not apply to reprints. */
export function licenceOf(
  { licence, source }: Pick<ArticlePage, 'licence' | 'source'>,
  site: Pick<Site, 'licence'>,
): Licence | undefined {
  return LICENCES[licence || (source ? '' : site.licence)];
}
