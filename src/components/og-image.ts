import type { Site } from '../lib/blog/blog.ts';
import { ogPicturePath } from '../lib/contract/made-files.ts';

/**
 * The picture that stands for an article, series or page elsewhere, absolute: its cover, or one that is drawn
 * of an article's title or the site's name. Null where the site does not know its own address.
 * @param shown `id` is a public article's
 */
export const ogImageOf = (
  { id, cover }: { id?: string | undefined; cover?: string | undefined },
  site: Pick<Site, 'origin'>,
): string | null => (site.origin === '' ? null : site.origin + (cover || ogPicturePath(id)));
