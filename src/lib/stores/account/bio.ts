import { inTab, readStored, store } from '../../client/stored.ts';

const keyOf = (username: string) => `bio:${username}`;

export const readBioDraft = (username: string): string | null => readStored(inTab, keyOf(username));

export const keepBioDraft = (username: string, text: string | null): boolean =>
  store(inTab, keyOf(username), text);
