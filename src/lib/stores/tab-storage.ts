/** Reads a value that survives a reload of this tab; null if there is none, or no storage. */
export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it with null. Does nothing if storage is full or unavailable. */
export function writeTab(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Callers can do without.
  }
}
