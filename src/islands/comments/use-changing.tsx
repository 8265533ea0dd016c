import { useCallback, useState } from 'react';
import { changeButtonId } from '../../lib/shared/ids.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { COMMENT_EDIT_MS } from '../../lib/contract/rules/bounds.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { isSameName } from '../../lib/contract/rules/names.ts';
import type { CommentDrafts } from '../../lib/stores/comments/comment-drafts.ts';
import { ChangeBox } from './ChangeBox.tsx';
import type { ShownComment } from './CommentItem.tsx';

/** Editing of the reader's own comments, one at a time. `onChanged` receives the edited comment. */
export function useChanging(
  drafts: CommentDrafts | null,
  username: string | null,
  onChanged: (comment: Comment) => void,
) {
  const [changed, setChanged] = useState<ShownComment | null>(null);
  const done = (comment: Comment | null) => {
    document.getElementById(changeButtonId(changed?._id ?? ''))?.focus({ preventScroll: true });
    setChanged(null);
    if (comment) onChanged(comment);
  };
  return {
    mayChange: useCallback(
      ({ create_user, create_time }: ShownComment) =>
        username !== null &&
        isOffered('commentEdit') &&
        isSameName(username, create_user) &&
        Date.now() - Date.parse(create_time) < COMMENT_EDIT_MS,
      [username],
    ),
    onChange: setChanged,
    change:
      changed && drafts && username !== null
        ? {
            id: changed._id,
            box: <ChangeBox key={changed._id} comment={changed} {...{ drafts, username }} onDone={done} />,
          }
        : null,
  };
}
