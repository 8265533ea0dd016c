import { atom } from 'nanostores';
import { call } from '../api.ts';

/** Retry delay after a failure. Going online or returning to the page also retries. */
const RETRY_DELAY_MS = 30_000;

export function createReadMarks() {
  const $fresh = atom<ReadonlySet<string>>(new Set());
  let unread: string[] = [];
  const seen = new Set<string>();
  const sent = new Set<string>();
  let isSending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(): void {
    if (document.visibilityState !== 'visible') return;
    for (const id of unread) if (!sent.has(id)) seen.add(id);
    void send();
  }

  async function send(): Promise<void> {
    if (isSending || seen.size === 0) return;
    isSending = true;
    clearTimeout(timer);
    const ids = [...seen];
    try {
      await call('readComments', { ids }, { quiet: true });
      for (const id of ids) {
        sent.add(id);
        seen.delete(id);
      }
    } catch {
      timer = setTimeout(look, RETRY_DELAY_MS);
      return;
    } finally {
      isSending = false;
    }
    void send();
  }

  return {
    $fresh,
    show(comments: readonly { _id: string; is_read: boolean }[]): void {
      unread = comments.filter((comment) => !comment.is_read).map((comment) => comment._id);
      if (unread.some((id) => !$fresh.get().has(id))) $fresh.set(new Set([...$fresh.get(), ...unread]));
      look();
    },
    start(): () => void {
      document.addEventListener('visibilitychange', look);
      addEventListener('online', look);
      return () => {
        clearTimeout(timer);
        document.removeEventListener('visibilitychange', look);
        removeEventListener('online', look);
      };
    },
  };
}
