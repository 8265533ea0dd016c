import { latestTags, pageTags } from '../../blog/page-tags.ts';
import type { Services } from '../services.ts';
import type { Handlers } from './handler.ts';

/** Tags. */
export const tagHandlers = ({ tags }: Services) =>
  ({
    tagList: {
      answer: ({ input }) => tags.list(input),
      tagsOf: ({ page, pageSize }, { result, total }) =>
        (page - 1) * pageSize < total ? [pageTags.tags, ...latestTags(result)] : null,
    },
    tagDetail: ({ input, viewer }) => tags.detail(input.name, viewer),
    allTags: { answer: ({ viewer }) => tags.names(viewer), tagsOf: () => [pageTags.tags] },
    tagCreate: ({ input, viewer }) => tags.create(input, viewer),
  }) satisfies Partial<Handlers>;
