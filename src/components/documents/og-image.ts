import type { Site } from '../../lib/blog/blog.ts';
import { ogPicturePath } from '../../lib/contract/rules/made-files.ts';

/**
 * Returns the absolute address of the Open Graph image: the cover, or a generated image of the article's
 * title or the site's name. Null if the site's origin is unknown.
 * @param shown `id` belongs to a public article
 */
export const ogImageOf = (
  { id, cover }: { id?: string | undefined; cover?: string | undefined },
  site: Pick<Site, 'origin'>,
): string | null => (site.origin === '' ? null : site.origin + (cover || ogPicturePath(id)));
