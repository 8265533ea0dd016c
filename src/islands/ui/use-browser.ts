import { useSyncExternalStore } from 'react';

/** Value that `read` takes from the browser, again after each change of the URL's fragment. */
export const useBrowser = <T>(read: () => T, onServer: T): T =>
  useSyncExternalStore(listen, read, () => onServer);

/** Secret in the fragment of the URL, which is never sent; '' on the server. */
export const useSecret = (): string => useBrowser(() => location.hash.slice(1), '');

function listen(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}
