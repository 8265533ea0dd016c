import type { ArticlePage, Site } from '../lib/blog/blog.ts';
import { LICENCES, type Licence } from '../lib/contract/licences.ts';

/** What an article stands under: what its author has chosen, else the site's, which no reprint is under. */
export function licenceOf(
  { licence, source }: Pick<ArticlePage, 'licence' | 'source'>,
  site: Pick<Site, 'licence'>,
): Licence | undefined {
  return LICENCES[licence || (source ? '' : site.licence)];
}
