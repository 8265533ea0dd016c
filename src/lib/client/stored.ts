/** Returns a storage of the browser. Throws if the reader blocks it. */
export type Place = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Beginning of the keys of comment drafts: `moye-comment:<article>:<user>`, with more parts for replies. */
export const COMMENT_DRAFTS = 'moye-comment';

export const inTab = (): Storage => sessionStorage;
export const onDevice = (): Storage => localStorage;

/** Returns the text stored under `key`; null if nothing is stored or the storage is blocked. */
export function readStored(place: Place, key: string): string | null {
  try {
    return place().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it if `text` is null. Returns whether the browser allowed it. */
export function store(place: Place, key: string, text: string | null): boolean {
  try {
    if (text === null) place().removeItem(key);
    else place().setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
