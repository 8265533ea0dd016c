import { atom } from 'nanostores';
import { call } from '../api.ts';
import { inTab, readStored, store } from '../../client/stored.ts';
import { $session } from './session.ts';

export const $avatar = atom<{ username: string; file: string } | null>(null);

/** Name of the signed-in user who may open the console; null for others and until it is known. */
export const $staffName = atom<string | null>(null);

const AVATAR_KEY = 'avatar:';
const ROLE_KEY = 'staff:';
/** Age at which a tab asks for the role again. */
const ROLE_MS = 600_000;

/** Sets the signed-in user's avatar to a data URL. @throws CallError; the caller shows refusals */
export async function saveAvatar(imgData: string): Promise<void> {
  const username = $session.get()?.username;
  const file = await call('uploadAvatar', { imgData }, { quiet: true });
  if (username !== undefined) keep(username, file);
}

/**
 * Fetches avatar and role of `username`, the signed-in user, once per tab, and the role again after ten
 * minutes: requesting an avatar that does not exist would be a failed request.
 * @throws CallError
 */
export async function learnAccount(username: string): Promise<void> {
  const file = fileOf(username);
  const isStaff = readRole(username);
  if (isStaff !== null) showRole(username, isStaff);
  if (file !== null && isStaff !== null) return keep(username, file);
  const { avatar, role } = await call('getUserInfo', { username }, { background: true });
  keep(username, fileOf(username) ?? avatar);
  showRole(username, role !== undefined);
  store(inTab, ROLE_KEY + username, `${role === undefined ? '' : 'staff'},${Date.now()}`);
}

/** Makes the next page fetch the role of `username` again, because it has changed. */
export const mistrustRole = (username: string): boolean => store(inTab, ROLE_KEY + username, null);

export function announceAvatar(username: string, file: string): void {
  if ($avatar.get()?.file !== file || $avatar.get()?.username !== username) keep(username, file);
}

/** Fetches the avatar again after its file was not found: the user has chosen another elsewhere. */
export function mistrustAvatar(username: string): void {
  if ($avatar.get()?.username !== username) return;
  $avatar.set(null);
  store(inTab, AVATAR_KEY + username, null);
  learnAccount(username).catch((error: unknown) => console.info('no avatar:', error));
}

function keep(username: string, file: string): void {
  $avatar.set({ username, file });
  store(inTab, AVATAR_KEY + username, file);
}

function fileOf(username: string): string | null {
  const shown = $avatar.get();
  return shown?.username === username ? shown.file : readStored(inTab, AVATAR_KEY + username);
}

function showRole(username: string, isStaff: boolean): void {
  if ($session.get()?.username === username) $staffName.set(isStaff ? username : null);
}

function readRole(username: string): boolean | null {
  const [role, time] = (readStored(inTab, ROLE_KEY + username) ?? '').split(',');
  return time === undefined || Date.now() - Number(time) > ROLE_MS ? null : role === 'staff';
}
