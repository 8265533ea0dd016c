import { isRefusal } from '../../../contract/rules/errors.ts';

/** Items with the versions in which staff has read them, in the same order. */
export interface ReadItems {
  ids: readonly string[];
  versions: readonly string[];
}

/**
 * Decides items one by one, each in its own transaction. `decideOne` refuses with VERSION_CHANGED if the
 * item is no longer in `version`: a single item is then refused, one of several is left alone and named in
 * `changed`.
 * @param decideOne returns null if the item already is as decided, or no longer exists
 */
export async function decideEach<T>(
  { ids, versions }: ReadItems,
  decideOne: (id: string, version: string) => Promise<T | null>,
): Promise<{ done: Map<string, T>; changed: string[] }> {
  const done = new Map<string, T>();
  const changed: string[] = [];
  for (const [id, version] of new Map(ids.map((id, index) => [id, versions[index] ?? '']))) {
    try {
      const decided = await decideOne(id, version);
      if (decided !== null) done.set(id, decided);
    } catch (error) {
      if (ids.length === 1 || !isRefusal(error, 'VERSION_CHANGED')) throw error;
      changed.push(id);
    }
  }
  return { done, changed };
}
