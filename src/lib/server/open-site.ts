import type { Site } from '../blog/blog.ts';
import { ConfigError, type Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Events } from './db/events.ts';
import { createSiteService } from './site/site-service.ts';
import type { Audit } from './staff/audit.ts';

/**
 * The site as its settings and its operator have it, as services and pages see it.
 * @throws ConfigError where the logo cannot be drawn
 */
export async function openSite(config: Config, parts: { db: Database; events: Events; audit: Audit }) {
  const site = await createSiteService({ ...parts, settings: config.site }).catch((error: Error) => {
    throw new ConfigError(error.message);
  });
  const settled = {
    origin: config.origin,
    timeZone: config.siteTimeZone,
    pictureHosts: config.pictureHosts,
    indexNowKey: config.pushKeys.indexnow ?? undefined,
  };
  return {
    site,
    /** Where it is, and what it is called at the time of asking. */
    named: {
      origin: config.origin,
      get title() {
        return site.facts.title;
      },
    },
    /** What pages print of it; where that cannot be asked, what was known last. */
    known: (): Site => ({ ...settled, ...site.facts }),
    now: async (): Promise<Site> => ({ ...settled, ...(await site.read().catch(() => site.facts)) }),
  };
}
