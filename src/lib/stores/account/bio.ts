import { call } from '../api.ts';
import { readTab, writeTab } from '../tab-storage.ts';

const keyOf = (username: string) => `bio:${username}`;

export const readBioDraft = (username: string): string | null => readTab(keyOf(username));

export const keepBioDraft = (username: string, text: string | null): void => writeTab(keyOf(username), text);

/** Replaces the signed-in user's bio. @throws CallError; the caller shows refusals */
export async function saveBio(bio: string): Promise<void> {
  await call('updateBio', { bio }, { quiet: true });
}
