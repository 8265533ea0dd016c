import type { Site } from '../../blog/blog.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { createSiteService } from '../site/site-service.ts';
import type { Drawer } from '../og/drawer.ts';
import type { OperatorValues } from '../config/operator-variables.ts';
import type { Core } from '../services.ts';
import type { Current } from '../settings/operator-settings.ts';

interface Parts extends Core {
  drawer: Drawer;
  search: Current<OperatorValues['search']>;
  sso: Current<OperatorValues['sso']>;
}

/**
 * Creates the site service and the views of it for services and pages.
 * @throws ConfigError when the logo cannot be drawn
 */
export async function openSite(config: Config, core: Parts) {
  const site = await createSiteService({ ...core, settings: config.site }).catch((error: Error) => {
    throw new ConfigError(error.message);
  });
  const settled = {
    origin: config.origin,
    timeZone: core.timeZone,
    pictureHosts: config.pictureHosts,
  };
  return {
    site,
    named: {
      origin: config.origin,
      get title() {
        return site.facts.title;
      },
      get logo() {
        return site.facts.logo;
      },
    },
    /** Site data for pages; the last known data when storage is unavailable. */
    known: (): Site => ({ ...settled, ...site.facts }),
    now: async (): Promise<Site> => ({ ...settled, ...(await site.read().catch(() => site.facts)) }),
  };
}
