import { atom, type ReadableAtom } from 'nanostores';
import { PAGE_SIZE } from '../../contract/rules/bounds.ts';
import type { Comment } from '../../contract/entities.ts';
import { call } from '../api.ts';
import { createPagedList, type PagedList, type Place } from '../paged-list.ts';
import { createReadMarks } from './read-marks.ts';
import { $tidings, $unread } from './unread.ts';

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
          // On later pages a refresh would move everything under the reader; there only the bell shows it.
          if ($unread.get() > 0 && list.$list.get().shown?.place.page === 1) void list.refresh();
        }),
        () => marks.show([]),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}
