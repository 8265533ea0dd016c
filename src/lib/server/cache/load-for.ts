import { isRefusal } from '../../contract/errors.ts';
import { StorageUnavailableError } from '../storage.ts';
import type { PageCache, Rendering } from './page-cache.ts';

/**
 * Loads `key` from the cache; `make` is on account of the client that asks first. Where that client's turn
 * was refused, the next one asks on its own account instead of being refused with it.
 * @throws what `make` throws
 */
export async function loadFor<Answer>(
  cache: PageCache<Answer>,
  key: string,
  make: () => Promise<Rendering<Answer>>,
): Promise<Rendering<Answer>> {
  for (;;) {
    let isOwn = false;
    try {
      return await cache.load(key, () => {
        isOwn = true;
        return make();
      });
    } catch (error) {
      const isOfTurn = isRefusal(error, 'UNAVAILABLE') || isRefusal(error, 'TOO_MANY_REQUESTS');
      // Storage refuses every client.
      if (isOwn || !isOfTurn || error instanceof StorageUnavailableError) throw error;
    }
  }
}
