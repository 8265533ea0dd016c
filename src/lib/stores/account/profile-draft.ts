import { inTab, readStored, store } from '../../client/stored.ts';

const keyOf = (username: string) => `profile:${username}`;

/** Returns the unsaved profile fields of this tab by name, or null. */
export function readProfileDraft(username: string): Record<string, string> | null {
  const stored = readStored(inTab, keyOf(username));
  return stored === null ? null : (JSON.parse(stored) as Record<string, string>);
}

export const keepProfileDraft = (username: string, fields: Readonly<Record<string, string>> | null) =>
  store(inTab, keyOf(username), fields && JSON.stringify(fields));
