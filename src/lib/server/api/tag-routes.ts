import { pageTags } from '../../blog/page-tags.ts';
import { calls } from '../../contract/calls.ts';
import type { Services } from '../services.ts';
import { route, type Route } from './route.ts';

/** Tags. */
export const tagRoutes = ({ tags }: Services): Route[] => [
  route(
    calls.tagList,
    ({ input }) => tags.list(input),
    ({ page, pageSize }, { total }) => ((page - 1) * pageSize < total ? [pageTags.tags] : null),
  ),
  route(calls.tagDetail, ({ input, viewer }) => tags.detail(input.name, viewer)),
  route(
    calls.allTags,
    ({ viewer }) => tags.names(viewer),
    () => [pageTags.tags],
  ),
  route(calls.tagCreate, ({ input, viewer }) => tags.create(input, viewer)),
];
