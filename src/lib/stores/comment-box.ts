import { atom, type ReadableAtom } from 'nanostores';
import { PAGE_SIZE } from '../contract/bounds.ts';
import type { Comment } from '../contract/entities.ts';
import { call } from './api.ts';
import { createPagedList, type PagedList, type Place } from './paged-list.ts';
import { createReadMarks } from './read-marks.ts';
import { $tidings, $unread } from './unread.ts';

/** The comments somebody has received, or those they have written. */
export interface CommentBox {
  type: 'to_user' | 'create_user';
  list: PagedList<Comment, Place>;
  /** Ids of those that were unread when this page first showed them. */
  $fresh: ReadableAtom<ReadonlySet<string>>;
  /** While open, shown comments become read and new ones appear. @returns closes it */
  open(): () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** A box of whoever is signed in. */
export function createCommentBox(type: CommentBox['type']): CommentBox {
  const list = createPagedList<Comment, Place>(PAGE_SIZE, { page: 1 }, ({ page }) =>
    call('userComments', { type, page, pageSize: PAGE_SIZE }, { quiet: true }),
  );
  if (type === 'create_user') return { type, list, $fresh: atom(NONE), open: () => () => undefined };

  const marks = createReadMarks();
  return {
    type,
    list,
    $fresh: marks.$fresh,
    open() {
      const stops = [
        marks.start(),
        list.$list.subscribe(({ shown }) => marks.show(shown?.items ?? [])),
        $tidings.listen(() => {
          // On later pages everything would move away under the reader; there the bell tells.
          if ($unread.get() > 0 && list.$list.get().shown?.place.page === 1) void list.refresh();
        }),
        () => marks.show([]),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}
