import { atom, onMount } from 'nanostores';

/** The query of this page's address, `?` included, as the reader moves about in it. */
export const $query = atom('');

onMount($query, () => {
  if (typeof document === 'undefined') return undefined;
  readAgain();
  addEventListener('popstate', readAgain);
  return () => removeEventListener('popstate', readAgain);
});

/** Goes to another query of this page, as a link would: Back returns. The same one changes nothing. */
export function goTo(query: string): void {
  if (query === location.search) return;
  history.pushState(null, '', location.pathname + query);
  readAgain();
}

/** Puts the address right without a step in the history: `?page=9` of three becomes `?page=3`. */
export function correctTo(query: string): void {
  if (query === location.search) return;
  history.replaceState(history.state, '', location.pathname + query);
  readAgain();
}

function readAgain(): void {
  $query.set(location.search);
}
