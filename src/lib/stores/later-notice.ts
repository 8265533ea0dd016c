const KEY = 'moye-notice';

export interface LaterNotice {
  /** Id of an article that was deleted. */
  deleted?: string;
}

/** Stores a notice for the next page in this tab. */
export function leaveNotice(notice: LaterNotice): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(notice));
  } catch {
    // Storage is unavailable; the notice is optional.
  }
}

/** Returns and removes the notice of the previous page, or null. */
export function takeNotice(): LaterNotice | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text === null ? null : (JSON.parse(text) as LaterNotice);
  } catch {
    // Storage is unavailable.
    return null;
  }
}
