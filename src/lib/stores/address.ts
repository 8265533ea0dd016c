import { atom, onMount } from 'nanostores';

/** Query string of the current URL, `?` included; follows navigation within the page. */
export const $query = atom('');

onMount($query, () => {
  if (typeof document === 'undefined') return undefined;
  readAgain();
  addEventListener('popstate', readAgain);
  return () => removeEventListener('popstate', readAgain);
});

/**
 * Navigates to another query of this page and adds a history entry. Does nothing if the query is unchanged.
 */
export function goTo(query: string): void {
  if (query === location.search) return;
  history.pushState(null, '', location.pathname + query);
  readAgain();
}

/** Corrects the query without a new history entry: `?page=9` of three pages becomes `?page=3`. */
export function correctTo(query: string): void {
  if (query === location.search) return;
  history.replaceState(history.state, '', location.pathname + query);
  readAgain();
}

function readAgain(): void {
  $query.set(location.search);
}
