import { SITE_FILES } from '../../../contract/rules/paths.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Services } from '../../services.ts';
import type { ApiRoutes, Handlers } from '../handler.ts';
import { sendVersioned } from '../versioned-file.ts';
import { DAY_S, YEAR_S } from '../../../contract/rules/units.ts';

export const siteHandlers = ({ site }: Services) =>
  ({
    site: () => site.read(),
    siteIdentity: () => site.identity(),
    siteIdentityChange: ({ input, viewer }) => site.change(input, viewer),
    siteLogo: ({ input, viewer }) => site.setLogo(Buffer.from(input.logo, 'base64'), viewer),
    siteLogoRemove: ({ viewer }) => site.removeLogo(viewer),
  }) satisfies Partial<Handlers>;

export function serveSiteFiles(api: ApiRoutes, { site }: Services): void {
  for (const path of SITE_FILES) {
    api.get(path, async ({ req }) => {
      const file = (await site.file(path)) ?? refuse('FILE_NOT_FOUND');
      const isNamed = req.query('v') !== undefined;
      const caching = isNamed ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${DAY_S}`;
      return sendVersioned(req.raw, file, caching);
    });
  }
}
