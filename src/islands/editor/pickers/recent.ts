import { parseJson } from '../../../lib/client/answer.ts';
import { onDevice, readStored, store } from '../../../lib/client/stored.ts';

const MAX_RECENT = 6;

/** Returns the recent picks from the list `name` on this device, newest first. */
export function recentPicks(name: string): string[] {
  const stored = parseJson(readStored(onDevice, keyOf(name)) ?? '');
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, MAX_RECENT) : [];
}

export function rememberPick(name: string, pick: string): void {
  const next = [pick, ...recentPicks(name).filter((each) => each !== pick)];
  store(onDevice, keyOf(name), JSON.stringify(next.slice(0, MAX_RECENT)));
}

const keyOf = (name: string) => `recent/${name}`;
