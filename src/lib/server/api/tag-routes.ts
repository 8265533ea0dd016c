import { calls } from '../../contract/calls.ts';
import type { Services } from '../services.ts';
import { route, type Route } from './route.ts';

/** Tags. */
export const tagRoutes = ({ tags }: Services): Route[] => [
  route(calls.tagList, ({ input }) => tags.list(input)),
  route(calls.tagDetail, ({ input, viewer }) => tags.detail(input.name, viewer)),
  route(calls.allTags, ({ viewer }) => tags.names(viewer)),
  route(calls.tagCreate, ({ input, viewer }) => tags.create(input, viewer)),
];
