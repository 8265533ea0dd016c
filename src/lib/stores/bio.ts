import { call } from './api.ts';

const keyOf = (username: string) => `bio:${username}`;

/** What was typed into the bio of `username` and not saved yet, in this tab; null when there is nothing. */
export function readBioDraft(username: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(username));
  } catch {
    return null;
  }
}

/** Keeps what is typed through reloads and signing in again; null forgets it. */
export function keepBioDraft(username: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(username));
    else sessionStorage.setItem(keyOf(username), text);
  } catch {
    // A browser that keeps nothing: the text is on screen.
  }
}

/** Replaces the bio of whoever is signed in. @throws CallError; the caller shows refusals */
export async function saveBio(bio: string): Promise<void> {
  await call('updateBio', { bio }, { quiet: true });
}
