import { createArchiveService } from './archive-service.ts';
import { createFeedService } from './feed-service.ts';
import { createPickService } from './pick-service.ts';
import { createRelatedService } from './related-service.ts';
import { createSitemapService } from './sitemap-service.ts';

type Parts = Parameters<typeof createArchiveService>[0] &
  Parameters<typeof createFeedService>[0] &
  Parameters<typeof createPickService>[0] &
  Parameters<typeof createRelatedService>[0] &
  Parameters<typeof createSitemapService>[0];

export function createReadingServices(parts: Parts) {
  return {
    archive: createArchiveService(parts),
    feeds: createFeedService(parts),
    picks: createPickService(parts),
    related: createRelatedService(parts),
    sitemaps: createSitemapService(parts),
  };
}
