import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};

/** The secret of the link that led here, which stands behind `#` and is sent nowhere; '' on the server. */
export const useSecret = (): string =>
  useSyncExternalStore(
    subscribe,
    () => location.hash.slice(1),
    () => '',
  );
