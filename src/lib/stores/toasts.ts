import { atom } from 'nanostores';

/** How long an error stays, DESIGN.md §4. */
export const ERROR_MS = 10_000;
const NOTICE_MS = 4_000;

export interface Toast {
  id: number;
  kind: 'error' | 'notice';
  text: string;
  /** Milliseconds it stays. */
  lasts: number;
  /** A button that tries again, or leads on. */
  action?: { text: string; run(): void };
}

/** Messages on screen, oldest first. */
export const $toasts = atom<readonly Toast[]>([]);
let lastId = 0;

/** Shows an error for 10 s. The same text is not stacked. */
export function showError(text: string, action?: Toast['action']): void {
  add({ kind: 'error', text, lasts: ERROR_MS, ...(action ? { action } : {}) });
}

/**
 * Says that something went well. With a button it stays as long as an error.
 * @returns its id, for `dismiss`
 */
export function showNotice(text: string, action?: Toast['action']): number {
  return add({ kind: 'notice', text, lasts: action ? ERROR_MS : NOTICE_MS, ...(action ? { action } : {}) });
}

/** Takes a message away. */
export function dismiss(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

function add(toast: Omit<Toast, 'id'>): number {
  const others = $toasts.get().filter(({ text }) => text !== toast.text);
  $toasts.set([...others, { ...toast, id: ++lastId }]);
  return lastId;
}
