import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { changedTags } from './changes.ts';
import { createPageCache, type PageCache } from './page-cache.ts';
import type { RenderedAnswer } from './renders.ts';

/** Opens the page cache, invalidated by events; null when the operator turned it off. */
export function openPageCache(
  config: Config,
  db: Database,
  events: Events,
): PageCache<RenderedAnswer> | null {
  if (config.pageCacheBytes === 0) return null;
  const { foreignVersion, isReachable, notices } = db;
  const cache = createPageCache<RenderedAnswer>({
    maxBytes: config.pageCacheBytes,
    foreignVersion,
    isCurrent: notices?.isCurrent,
    catchUp: notices?.catchUp,
    isReachable,
  });
  // Events arrive after the commit and before the call responds, so authors see their own writes.
  events.listen((event) => cache.invalidate(changedTags(event)));
  return cache;
}
