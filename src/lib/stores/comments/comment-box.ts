import { atom, type ReadableAtom } from 'nanostores';
import { call } from '../api.ts';
import { PAGE_SIZE } from '../../contract/rules/bounds.ts';
import type { Comment } from '../../contract/entities.ts';
import { createPagedList, type PagedList, type Place } from '../paged-list.ts';
import { $tidings, $unread } from './unread.ts';

/** Retry delay after a failure. Going online or returning to the page also retries. */
const RETRY_DELAY_MS = 30_000;

/** @param mark marks items as read on the server */
export function createReadMarks(mark: (ids: string[]) => Promise<unknown>) {
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
      await mark(ids);
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
    show(items: readonly { _id: string; is_read: boolean }[]): void {
      unread = items.filter((item) => !item.is_read).map((item) => item._id);
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

export interface CommentBox {
  type: 'to_user' | 'create_user';
  list: PagedList<Comment, Place>;
  $fresh: ReadableAtom<ReadonlySet<string>>;
  /** Marks shown comments as read and loads new ones, until the returned function is called. */
  open(): () => void;
}

const NONE: ReadonlySet<string> = new Set();

export function createCommentBox(type: CommentBox['type']): CommentBox {
  const list = createPagedList<Comment, Place>(PAGE_SIZE, ({ page }) =>
    call('userComments', { type, page, pageSize: PAGE_SIZE }, { quiet: true }),
  );
  if (type === 'create_user') return { type, list, $fresh: atom(NONE), open: () => () => undefined };

  const marks = createReadMarks((ids) => call('readComments', { ids }, { quiet: true }));
  return {
    type,
    list,
    $fresh: marks.$fresh,
    open() {
      const stops = [
        marks.start(),
        list.$list.subscribe(({ shown }) => marks.show(shown?.items ?? [])),
        $tidings.listen(() => {
          // On later pages a refresh would move everything under the reader; there only the bell shows it.
          if ($unread.get() > 0 && list.$list.get().shown?.place.page === 1) void list.refresh();
        }),
        () => marks.show([]),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}
