import type { Site } from '../lib/blog/blog.ts';

/** The picture that stands for an article, series or page elsewhere, absolute; null where there is none. */
export const ogImageOf = (
  shown: { cover?: string | undefined },
  site: Pick<Site, 'origin'>,
): string | null => (shown.cover ? site.origin + shown.cover : null);
