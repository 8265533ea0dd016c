import { atom } from 'nanostores';
import { call } from './api.ts';

/** After a failure; besides, going online or coming back to the page tries again. */
const RETRY_MS = 30_000;

/** Tells the server which comments their addressee has seen; what it could not be told is told later. */
export function createReadMarks() {
  const $fresh = atom<ReadonlySet<string>>(new Set());
  /** Unread on the screen. */
  let unread: string[] = [];
  /** Seen by the reader, and the server does not know it yet. */
  const seen = new Set<string>();
  const told = new Set<string>();
  let isTelling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(): void {
    if (document.visibilityState !== 'visible') return;
    for (const id of unread) if (!told.has(id)) seen.add(id);
    void tell();
  }

  async function tell(): Promise<void> {
    if (isTelling || seen.size === 0) return;
    isTelling = true;
    clearTimeout(timer);
    const ids = [...seen];
    try {
      await call('readComments', { ids }, { quiet: true });
      for (const id of ids) {
        told.add(id);
        seen.delete(id);
      }
    } catch {
      timer = setTimeout(look, RETRY_MS);
      return;
    } finally {
      isTelling = false;
    }
    // What came into view meanwhile.
    void tell();
  }

  return {
    /** Comments that were unread when this page first showed them. They stay marked. */
    $fresh,
    /** Says what is on the screen now. What is unread of it becomes read once the page is visible. */
    show(comments: readonly { _id: string; is_read: boolean }[]): void {
      unread = comments.filter((comment) => !comment.is_read).map((comment) => comment._id);
      if (unread.some((id) => !$fresh.get().has(id))) $fresh.set(new Set([...$fresh.get(), ...unread]));
      look();
    },
    /** Follows the page's visibility and the network until the function returned is called. */
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
