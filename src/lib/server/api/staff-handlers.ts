import type { Services } from '../services.ts';
import type { Handlers } from './handler.ts';

/** How a site gets its operator, and what the console asks. */
export const staffHandlers = ({ roles, overview, options }: Services) =>
  ({
    operatorSetup: ({ input, from }) => roles.setUp(input, from),
    operatorClaim: async ({ input, viewer }) => {
      await roles.claim(input.key, viewer);
      return '您现在是站长了';
    },
    staffOverview: () => overview.read(),
    siteOptions: () => options.read(),
    siteOptionsChange: ({ input, viewer }) => options.change(input, viewer.id),
  }) satisfies Partial<Handlers>;
