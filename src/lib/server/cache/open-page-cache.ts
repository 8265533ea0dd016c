import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { changedTags } from './changes.ts';
import { createPageCache, type PageCache } from './page-cache.ts';
import type { PlainAnswer } from './renders.ts';

/** The pages that are kept, dropped as events say; null where the operator wants none kept. */
export function openPageCache(config: Config, db: Database, events: Events): PageCache<PlainAnswer> | null {
  if (config.pageCacheBytes === 0) return null;
  const { foreignVersion, isReachable, notices } = db;
  const cache = createPageCache<PlainAnswer>({
    maxBytes: config.pageCacheBytes,
    foreignVersion,
    isCurrent: notices?.isCurrent,
    catchUp: notices?.catchUp,
    isReachable,
  });
  // Events come after the commit and before the call answers: whoever wrote reads their own write.
  events.listen((event) => cache.invalidate(changedTags(event)));
  return cache;
}
