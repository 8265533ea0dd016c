import { atom } from 'nanostores';
import { call } from '../api.ts';
import { inTab, readStored, store } from '../../client/stored.ts';
import { $session } from './session.ts';

export const $avatar = atom<{ username: string; file: string } | null>(null);

const KEY = 'avatar:';

/** Sets the signed-in user's avatar to a data URL. @throws CallError; the caller shows refusals */
export async function saveAvatar(imgData: string): Promise<void> {
  const username = $session.get()?.username;
  const file = await call('uploadAvatar', { imgData }, { quiet: true });
  if (username !== undefined) keep(username, file);
}

/**
 * Fetches the avatar's file name of `username`, the signed-in user, once per tab: requesting an avatar that
 * does not exist would be a failed request.
 * @throws CallError
 */
export async function learnAvatar(username: string): Promise<void> {
  if ($avatar.get()?.username === username) return;
  const known = readStored(inTab, KEY + username);
  const file = known ?? (await call('userDetail', { username }, { background: true })).avatar;
  if ($avatar.get()?.username !== username) keep(username, file);
}

export function announceAvatar(username: string, file: string): void {
  if ($avatar.get()?.file !== file || $avatar.get()?.username !== username) keep(username, file);
}

/** Fetches the avatar again after its file was not found: the user has chosen another elsewhere. */
export function mistrustAvatar(username: string): void {
  if ($avatar.get()?.username !== username) return;
  $avatar.set(null);
  store(inTab, KEY + username, null);
  learnAvatar(username).catch((error: unknown) => console.info('no avatar:', error));
}

function keep(username: string, file: string): void {
  $avatar.set({ username, file });
  store(inTab, KEY + username, file);
}
