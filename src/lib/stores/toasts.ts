import { atom } from 'nanostores';

/** Display time of errors (docs/pages.md). */
const ERROR_MS = 10_000;
const NOTICE_MS = 4_000;

export interface Toast {
  id: number;
  kind: 'error' | 'notice';
  text: string;
  /** Display time in milliseconds. */
  lasts: number;
  action?: { text: string; run(): void };
}

export const $toasts = atom<readonly Toast[]>([]);
let lastId = 0;

export function showError(text: string, action?: Toast['action']): void {
  add({ kind: 'error', text, lasts: ERROR_MS, ...(action ? { action } : {}) });
}

/**
 * Shows a success message. A message with a button stays for 10 s.
 * @returns its id, for `dismiss`
 */
export function showNotice(text: string, action?: Toast['action']): number {
  return add({ kind: 'notice', text, lasts: action ? ERROR_MS : NOTICE_MS, ...(action ? { action } : {}) });
}

/** Shows a success message with 撤销 for 10 s. */
export const showUndo = (text: string, undo: () => unknown): number =>
  showNotice(text, { text: '撤销', run: () => void undo() });

/** Shows an error with 重试. */
export const showRetry = (text: string, retry: () => unknown): void =>
  showError(text, { text: '重试', run: () => void retry() });

export function dismiss(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

function add(toast: Omit<Toast, 'id'>): number {
  const others = $toasts.get().filter(({ text }) => text !== toast.text);
  $toasts.set([...others, { ...toast, id: ++lastId }]);
  return lastId;
}
