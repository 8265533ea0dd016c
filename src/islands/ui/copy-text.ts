import { showError, showNotice } from '../../lib/stores/toasts.ts';

/** Copies a text and says so. Fails without permission, and on pages without HTTPS. */
export async function copyText(text: string, done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showNotice(done);
  } catch {
    showError(failed);
  }
}
