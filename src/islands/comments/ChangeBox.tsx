import { useEffect, useRef, useState } from 'react';
import type { Comment } from '../../lib/contract/entities.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import type { CommentDrafts } from '../../lib/stores/comments/comment-drafts.ts';
import { CommentForm, type BoxHandle } from './CommentForm.tsx';
import type { ShownComment } from './CommentItem.tsx';

interface Props {
  comment: ShownComment;
  drafts: CommentDrafts;
  username: string;
  onDone: (changed: Comment | null) => void;
}

export function ChangeBox({ comment, drafts, username, onDone }: Props) {
  const form = useRef<BoxHandle>(null);
  const [draft] = useState(() => drafts.changeOf(comment));
  useEffect(() => form.current?.focus(), []);
  return (
    <CommentForm
      ref={form}
      {...{ draft, username }}
      kind="change"
      className="mt-1 mb-4"
      action={{
        label: '修改评论',
        placeholder: '写下你的评论',
        button: '保存',
        send: async ({ content }, options) => {
          const changed = await call('commentEdit', { id: comment._id, content }, options);
          if (changed.pending_content !== undefined)
            showNotice('改动已提交审核，通过之前读者看到的是原来的样子');
          return changed;
        },
      }}
      onPublished={onDone}
      onCancel={() => {
        draft.write('');
        onDone(null);
      }}
    />
  );
}
