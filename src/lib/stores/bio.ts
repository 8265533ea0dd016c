import { call } from './api.ts';

const keyOf = (username: string) => `bio:${username}`;

/** Unsaved bio of `username` typed in this tab, or null. */
export function readBioDraft(username: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(username));
  } catch {
    return null;
  }
}

/** Keeps the unsaved bio across reloads and signing in again; null removes it. */
export function keepBioDraft(username: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(username));
    else sessionStorage.setItem(keyOf(username), text);
  } catch {
    // Storage is unavailable; the text is still on screen.
  }
}

/** Replaces the signed-in user's bio. @throws CallError; the caller shows refusals */
export async function saveBio(bio: string): Promise<void> {
  await call('updateBio', { bio }, { quiet: true });
}
