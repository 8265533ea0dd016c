import { atom } from 'nanostores';
import { call } from './api.ts';
import { $session } from './session.ts';

/** The signed-in user's picture as far as known: asked for, or just chosen, unknown to what was printed. */
export const $avatar = atom<{ username: string; file: string } | null>(null);

const KEY = 'avatar:';

/** Makes a data URL the avatar of whoever is signed in. @throws CallError; the caller shows refusals */
export async function saveAvatar(imgData: string): Promise<void> {
  const username = $session.get()?.username;
  const file = await call('uploadAvatar', { imgData }, { quiet: true });
  if (username !== undefined) keep(username, file);
}

/**
 * Learns the picture of `username`, signed in; once a tab: a missing one is a failed request.
 * @throws CallError
 */
export async function learnAvatar(username: string): Promise<void> {
  if ($avatar.get()?.username === username) return;
  const known = sessionStorage.getItem(KEY + username);
  const file = known ?? (await call('userDetail', { username }, { background: true })).avatar;
  // Chosen meanwhile.
  if ($avatar.get()?.username !== username) keep(username, file);
}

/** What the page knows for certain of the picture of `username`, who is signed in, is kept. */
export function tellAvatar(username: string, file: string): void {
  if ($avatar.get()?.file !== file || $avatar.get()?.username !== username) keep(username, file);
}

/** Asks anew for a picture that is gone: its owner has chosen another in another tab, or elsewhere. */
export function mistrustAvatar(username: string): void {
  if ($avatar.get()?.username !== username) return;
  $avatar.set(null);
  sessionStorage.removeItem(KEY + username);
  learnAvatar(username).catch((error: unknown) => console.info('no avatar:', error));
}

function keep(username: string, file: string): void {
  $avatar.set({ username, file });
  try {
    sessionStorage.setItem(KEY + username, file);
  } catch {
    // Full: the next page asks again.
  }
}
