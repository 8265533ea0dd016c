import { latestTags, pageTags } from '../../../shared/pages/page-tags.ts';
import type { Services } from '../../services.ts';
import type { Handlers } from '../handler.ts';

export const tagHandlers = ({ tags, tagConsole }: Services) =>
  ({
    tagList: {
      answer: ({ input }) => tags.list(input),
      tagsOf: ({ page, pageSize }, { result, total }) =>
        (page - 1) * pageSize < total ? [pageTags.tags, ...latestTags(result)] : null,
    },
    tagDetail: ({ input, viewer }) => tags.detail(input.name, viewer),
    allTags: { answer: ({ viewer }) => tags.names(viewer), tagsOf: () => [pageTags.tags] },
    tagCreate: ({ input, viewer }) => tags.create(input, viewer),
    staffTags: ({ input }) => tagConsole.list(input),
    tagRename: ({ input, viewer }) => tagConsole.rename(input, viewer),
    tagMerge: async ({ input, viewer }) => ({ merged: await tagConsole.merge(input, viewer) }),
    tagDescribe: async ({ input, viewer }) => ({ former: await tagConsole.describe(input, viewer) }),
    tagDelete: async ({ input, viewer }) => `已删除标签「${await tagConsole.remove(input, viewer)}」`,
  }) satisfies Partial<Handlers>;
