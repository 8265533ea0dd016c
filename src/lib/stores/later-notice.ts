const KEY = 'moye-notice';

export interface LaterNotice {
  deleted?: string;
}

export function leaveNotice(notice: LaterNotice): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(notice));
  } catch {
    // Storage is unavailable; the notice is optional.
  }
}

export function takeNotice(): LaterNotice | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text === null ? null : (JSON.parse(text) as LaterNotice);
  } catch {
    return null;
  }
}
