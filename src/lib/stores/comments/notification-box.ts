import { atom } from 'nanostores';
import { isCallError } from '../../client/call-error.ts';
import type { Notification } from '../../contract/calls/notification-calls.ts';
import { PAGE_SIZE } from '../../contract/rules/bounds.ts';
import { call } from '../api.ts';
import { createReadMarks } from './comment-box.ts';
import { $notified } from './unread.ts';

interface Loaded {
  /** Null before the first answer. */
  items: readonly Notification[] | null;
  /** Position of the next page; null after the last. */
  cursor: string | null;
  isLoading: boolean;
  problem: string;
}

const FAILED = '没有加载成功，请稍后再试';

/** Notifications of the signed-in user, newest first; each becomes read once it is shown. */
export function createNotificationBox() {
  const $list = atom<Loaded>({ items: null, cursor: null, isLoading: false, problem: '' });
  const marks = createReadMarks((ids) => call('notificationRead', { ids }, { quiet: true }));
  let turn = 0;

  async function load(cursor: string | null): Promise<void> {
    const mine = ++turn;
    $list.set({ ...$list.get(), isLoading: true, problem: '' });
    try {
      const place = cursor === null ? {} : { cursor };
      const found = await call('notificationList', { ...place, pageSize: PAGE_SIZE }, { quiet: true });
      if (mine !== turn) return;
      const former = cursor === null ? [] : ($list.get().items ?? []);
      const items = [...former, ...found.result];
      $list.set({ items, cursor: found.cursor, isLoading: false, problem: '' });
    } catch (error) {
      if (mine !== turn) return;
      const problem = isCallError(error) && error.kind === 'refused' ? error.message : FAILED;
      $list.set({ ...$list.get(), isLoading: false, problem });
    }
  }

  return {
    $list,
    $fresh: marks.$fresh,
    load: () => load(null),
    more: () => load($list.get().cursor),
    /** Loads the list and new items, and marks shown ones as read, until the returned function is called. */
    open(): () => void {
      let known = $notified.get();
      const stops = [
        marks.start(),
        $list.subscribe(({ items }) => marks.show(items ?? [])),
        $notified.listen((count) => {
          // After later pages are loaded, a refresh would move everything under the reader.
          if (count > known && ($list.get().items?.length ?? 0) <= PAGE_SIZE) void load(null);
          known = count;
        }),
        () => marks.show([]),
      ];
      void load(null);
      return () => stops.forEach((stop) => stop());
    },
  };
}
