import { useStore } from '@nanostores/react';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react';
import { COMMENT_BOX_ID, COMMENT_NOTE_ID } from '../../components/ids.ts';
import { commentBoxUrl } from '../../components/urls.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { signInUrl } from '../../lib/same-site-path.ts';
import { call } from '../../lib/stores/api.ts';
import { charactersLeft, type CommentDraft } from '../../lib/stores/comment-draft.ts';
import { isComposing } from '../ui/composition.ts';
import { ReplyQuote } from './ReplyQuote.tsx';

/** Lets others bring the writer to the box. */
export interface BoxHandle {
  focus(): void;
}

interface Props {
  ref: Ref<BoxHandle>;
  articleId: string;
  /** What is written, and by whom; null for visitors. */
  draft: CommentDraft | null;
  username: string | null;
  onPublished: (comment: Comment) => void;
}

/** Where a comment is written, or the way to sign in. Until the reader is known, CSS chooses (chrome.css). */
export function CommentBox({ draft, username, articleId, ...rest }: Props) {
  if (draft !== null && username !== null)
    return <Form key={username} draft={draft} username={username} articleId={articleId} {...rest} />;
  return (
    <div id={COMMENT_BOX_ID} className="comment-box">
      <p className="comment-wall" data-for="visitor">
        <span>
          <a href={signInUrl(commentBoxUrl(articleId))} className="inline-flex items-center min-h-11">
            登录
          </a>
          后可以评论和回复
        </span>
      </p>
      <div data-for="user" aria-hidden="true">
        <div className="field comment-field text-soft">写下你的评论</div>
        <div className="mt-2 flex justify-end">
          <span className="button">发表评论</span>
        </div>
      </div>
    </div>
  );
}

/** Characters left from which on they are counted. */
const NEAR_LIMIT = 200;
/** How long an answer is waited for; after that the writer can try again. */
const PATIENCE_MS = 20_000;

interface FormProps extends Props {
  draft: CommentDraft;
  username: string;
}

function Form({ ref, articleId, draft, username, onPublished }: FormProps) {
  const { text, reply, isSending, problem } = useStore(draft.$draft);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const left = charactersLeft(text);

  const focus = useCallback(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
    field.current?.focus({ preventScroll: true });
  }, []);
  useImperativeHandle(ref, () => ({ focus }));
  useEffect(() => {
    const isWanted = location.hash === `#${COMMENT_BOX_ID}`;
    if (draft.wasInterrupted() || isWanted) focus();
    // A reload must not bring the keyboard of a phone up again.
    if (isWanted) history.replaceState(history.state, '', location.pathname + location.search);
  }, [draft, focus]);
  useGrowth(field);

  const send = async () => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const comment = await draft.send((fields) =>
      call('commentCreate', { ...fields, page_id: articleId }, { as: username, signal }),
    );
    if (comment) onPublished(comment);
    else if (draft.$draft.get().problem !== '') field.current?.focus();
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
    event.preventDefault();
    if (!event.repeat) void send();
  };

  return (
    <form
      ref={form}
      id={COMMENT_BOX_ID}
      className="comment-box"
      aria-label="写评论"
      aria-busy={isSending}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {reply && (
        <ReplyQuote
          reply={reply}
          onDrop={() => {
            draft.replyTo(null);
            focus();
          }}
        />
      )}
      <textarea
        ref={field}
        className="field comment-field"
        rows={3}
        dir="auto"
        aria-label={reply ? `回复 ${reply.user}` : '写评论'}
        aria-describedby={COMMENT_NOTE_ID}
        aria-invalid={problem !== '' || left < 0}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        placeholder={reply ? '写下你的回复' : '写下你的评论'}
        readOnly={isSending}
        value={text}
        onChange={(event) => draft.write(event.target.value)}
        onKeyDown={sendByKey}
      />
      <div className="mt-2 flex items-center justify-end gap-3">
        <div id={COMMENT_NOTE_ID} className="flex-1 text-sm text-soft">
          {problem !== '' && (
            <p role="alert" className="text-vermilion">
              {problem}
            </p>
          )}
          {left <= NEAR_LIMIT && problem === '' && (
            <p className={left < 0 ? 'text-vermilion' : ''}>
              {left < 0 ? `超出 ${-left} 字` : `还可以写 ${left} 字`}
            </p>
          )}
        </div>
        <button type="submit" className="button" aria-disabled={isSending}>
          {isSending ? '发表中…' : '发表评论'}
        </button>
      </div>
    </form>
  );
}

/** Lets the field grow with its text where CSS cannot. */
function useGrowth(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.setProperty('height', 'auto');
    const border = element.offsetHeight - element.clientHeight;
    element.style.setProperty('height', `${element.scrollHeight + border}px`);
  });
}
