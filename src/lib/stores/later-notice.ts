const KEY = 'moye-notice';

/** What a page leaves for the next one to say. */
export interface LaterNotice {
  /** Id of an article that was deleted. */
  deleted?: string;
}

/** Leaves a notice for the page that comes next in this tab. */
export function leaveNotice(notice: LaterNotice): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(notice));
  } catch {
    // A browser that keeps nothing: the notice is a courtesy.
  }
}

/** The notice that the page before has left, once; null where there is none. */
export function takeNotice(): LaterNotice | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text === null ? null : (JSON.parse(text) as LaterNotice);
  } catch {
    // As above.
    return null;
  }
}
