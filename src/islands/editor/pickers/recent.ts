const MOST = 6;

/** What was picked last on this device from the list called `name`, the newest first. */
export function recentPicks(name: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, MOST) : [];
  } catch {
    // Storage may be forbidden, and what is in it is anybody's.
    return [];
  }
}

/** Remembers a pick, where the browser allows it. */
export function rememberPick(name: string, pick: string): void {
  try {
    const next = [pick, ...recentPicks(name).filter((each) => each !== pick)];
    localStorage.setItem(keyOf(name), JSON.stringify(next.slice(0, MOST)));
  } catch {
    // A list without what is recent is as good.
  }
}

const keyOf = (name: string) => `recent/${name}`;
