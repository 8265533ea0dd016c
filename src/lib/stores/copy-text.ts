import { showError, showNotice } from './toasts.ts';

/** Copies a text and says so. Fails without permission, and on pages without HTTPS. */
export async function copyText(text: string, done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showNotice(done);
  } catch {
    showError(failed);
  }
}
