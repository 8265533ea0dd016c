import { showError, showNotice } from './toasts.ts';

/** Copies a text and shows whether that worked: it needs permission, and a page with HTTPS. */
export async function copyText(text: string, done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showNotice(done);
  } catch {
    showError(failed);
  }
}
