import { isRefusal } from '../../contract/rules/errors.ts';
import { StorageUnavailableError } from '../storage/storage.ts';
import type { PageCache, Rendering } from './page-cache.ts';

/**
 * Loads `key` from the cache; `make` counts against the client that asks first. If that client's turn is
 * refused, the next waiting client retries on its own account instead of failing with it.
 * @throws the error of `make`
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
      // A storage failure affects every client.
      if (isOwn || !isOfTurn || error instanceof StorageUnavailableError) throw error;
    }
  }
}
