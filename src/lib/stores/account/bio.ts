import { readTab, writeTab } from '../tab-storage.ts';

const keyOf = (username: string) => `bio:${username}`;

export const readBioDraft = (username: string): string | null => readTab(keyOf(username));

export const keepBioDraft = (username: string, text: string | null): void => writeTab(keyOf(username), text);
