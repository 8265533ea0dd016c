import { pageTags } from '../../../shared/pages/page-tags.ts';
import { toActivity } from '../../activity/activity-service.ts';
import type { Services } from '../../services.ts';
import type { Handlers } from '../handler.ts';

const TAGS = [pageTags.search, pageTags.activity];
const askedIn = ({ create_user, type }: { create_user: string; type: 'page' | 'comment' | '' }) => ({
  username: create_user,
  kind: type === '' ? null : type,
});

export const activityHandlers = ({ activities }: Services) =>
  ({
    activityList: {
      shared: async (input) => {
        const { result, total } = await activities.list(askedIn(input), input);
        return { result: result.map(toActivity), total };
      },
      // Users without activities and pages beyond the last are not cached: their number has no bound.
      tagsOf: ({ page, pageSize }, { total }) => ((page - 1) * pageSize < total ? TAGS : null),
    },
    activityNum: {
      shared: (input) => activities.count(askedIn(input)),
      tagsOf: (_, total) => (total > 0 ? TAGS : null),
    },
  }) satisfies Partial<Handlers>;
