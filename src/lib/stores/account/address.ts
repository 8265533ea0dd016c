import { atom, onMount } from 'nanostores';

export const $query = atom('');

onMount($query, () => {
  if (typeof document === 'undefined') return undefined;
  readAgain();
  addEventListener('popstate', readAgain);
  return () => removeEventListener('popstate', readAgain);
});

export function goTo(query: string): void {
  if (query === location.search) return;
  history.pushState(null, '', location.pathname + query);
  readAgain();
}

export function correctTo(query: string): void {
  if (query === location.search) return;
  history.replaceState(history.state, '', location.pathname + query);
  readAgain();
}

function readAgain(): void {
  $query.set(location.search);
}
