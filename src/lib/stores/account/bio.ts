import { call } from '../api.ts';

const keyOf = (username: string) => `bio:${username}`;

export function readBioDraft(username: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(username));
  } catch {
    return null;
  }
}

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
