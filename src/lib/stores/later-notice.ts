import { showNotice } from './toasts.ts';

const KEY = 'moye-notice';

/** Leaves a notice for the page that comes next in this tab. */
export function leaveNotice(text: string): void {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // A browser that keeps nothing: the notice is a courtesy.
  }
}

/** Shows the notice that the page before has left, once. */
export function showLeftNotice(): void {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    if (text !== null) showNotice(text);
  } catch {
    // As above.
  }
}
