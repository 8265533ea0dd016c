const MAX_RECENT = 6;

/** Returns the recent picks from the list `name` on this device, newest first. */
export function recentPicks(name: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((each) => typeof each === 'string').slice(0, MAX_RECENT)
      : [];
  } catch {
    // Storage may be blocked or hold invalid data.
    return [];
  }
}

export function rememberPick(name: string, pick: string): void {
  try {
    const next = [pick, ...recentPicks(name).filter((each) => each !== pick)];
    localStorage.setItem(keyOf(name), JSON.stringify(next.slice(0, MAX_RECENT)));
  } catch {
    // The list works without recent picks.
  }
}

const keyOf = (name: string) => `recent/${name}`;
