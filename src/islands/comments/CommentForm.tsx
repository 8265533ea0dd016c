import { useStore } from '@nanostores/react';
import {
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { boxId, boxNoteId } from '../../lib/shared/ids.ts';
import type { Comment } from '../../lib/contract/entities.ts';
import { isCallError } from '../../lib/client/call-error.ts';
import { call } from '../../lib/stores/api.ts';
import {
  charactersLeft,
  type CommentDraft,
  type CommentFields,
  type ReplyTarget,
} from '../../lib/stores/comments/comment-draft.ts';
import { showError } from '../../lib/stores/toasts.ts';
import { isComposing } from '../ui/form/composition.ts';
import { lazyPart } from '../ui/lazy.tsx';

import { usePeople } from './use-people.tsx';
import { QuietButton } from '../ui/Button.tsx';

const CommentPreview = lazyPart<{ text: string }>(() => import('./CommentPreview.tsx'));

export interface BoxHandle {
  focus(): void;
}

export interface Writing {
  articleId: string;
  draft: CommentDraft;
  username: string;
  onPublished: (comment: Comment) => void;
}

export interface Action {
  label: string;
  placeholder: string;
  button: string;
  send: (fields: CommentFields, options: { as: string; signal: AbortSignal }) => Promise<Comment>;
}

/**
 * Adds a comment or a reply to an article. If the server demands a proof of work, loads the solver, computes
 * the proof and sends the comment again.
 */
export function addTo(articleId: string, reply: ReplyTarget | null): Action {
  const verb = reply ? '回复' : '评论';
  return {
    label: reply ? `回复 ${reply.user}` : '写评论',
    placeholder: `写下你的${verb}`,
    button: `发表${verb}`,
    send: async (fields, options) => {
      const create = (check?: string) =>
        call('commentCreate', { ...fields, page_id: articleId, check }, { ...options, quiet: !check });
      try {
        return await create();
      } catch (error) {
        if (!isCallError(error, 'refused')) throw error;
        if (error.code === 'CHECK_NEEDED') {
          const { proveHuman } = await import('../../lib/client/human-check/human-check.ts');
          const check = await proveHuman(options.signal);
          if (check) return create(check);
        }
        showError(error.message);
        throw error;
      }
    },
  };
}

interface Props extends Omit<Writing, 'articleId'> {
  action: Action;
  ref: Ref<BoxHandle>;
  kind: 'comment' | 'answer' | 'change';
  className?: string;
  children?: ReactNode;
  /** Closes the box and keeps the draft. Without it, the box is always open. */
  onCancel?: () => void;
}

/** The number of remaining characters is shown at or below this. */
const COUNTDOWN_FROM_CHARACTERS = 200;
/** Timeout of the call. The author of the comment can retry afterwards. */
const COMMENT_TIMEOUT_MS = 20_000;

/** Form of a comment or reply. Ctrl+Enter submits it. */
export function CommentForm({ ref, action, draft, username, onPublished, onCancel, ...rest }: Props) {
  const { kind, className = '', children } = rest;
  const { text, isSending, problem } = useStore(draft.$draft);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const left = charactersLeft(text);
  const [isPreviewed, setPreviewed] = useState(false);

  const focus = useCallback(() => {
    field.current?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useImperativeHandle(ref, () => ({ focus }));
  useGrowth(field);
  const mentioning = usePeople({ ref: field, text, write: draft.write, kind });

  const send = async () => {
    const options = { as: username, signal: AbortSignal.timeout(COMMENT_TIMEOUT_MS) };
    const comment = await draft.send((fields) => action.send(fields, options));
    if (comment) onPublished(comment);
    else if (draft.$draft.get().problem !== '') field.current?.focus();
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (mentioning.takeKey(event)) return;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
    event.preventDefault();
    if (!event.repeat) void send();
  };

  return (
    <form
      ref={form}
      id={boxId(kind)}
      className={`scroll-mb-4 ${className}`}
      aria-label={action.label}
      aria-busy={isSending}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {children}
      <div className="relative">
        <textarea
          {...mentioning.attributes}
          ref={field}
          className="field comment-field"
          rows={3}
          dir="auto"
          aria-label={action.label}
          aria-describedby={boxNoteId(kind)}
          aria-invalid={problem !== '' || left < 0}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          placeholder={action.placeholder}
          readOnly={isSending}
          value={text}
          onChange={(event) => draft.write(event.target.value)}
          onKeyDown={sendByKey}
        />
        {mentioning.list}
      </div>
      {isPreviewed && <CommentPreview text={text} />}
      <div className="mt-2 flex items-center justify-end gap-3">
        <button
          type="button"
          className="action ml--2 text-sm"
          aria-expanded={isPreviewed}
          title="支持 Markdown"
          onClick={() => setPreviewed(!isPreviewed)}
        >
          {isPreviewed ? '收起预览' : '预览'}
        </button>
        <div id={boxNoteId(kind)} className="flex-1 text-sm text-soft">
          <Note problem={problem} left={left} />
        </div>
        {onCancel && <QuietButton onClick={onCancel}>取消</QuietButton>}
        <button type="submit" className="button" aria-disabled={isSending}>
          {isSending ? '发送中…' : action.button}
        </button>
      </div>
    </form>
  );
}

function Note({ problem, left }: { problem: string; left: number }) {
  if (problem !== '')
    return (
      <p role="alert" className="text-vermilion">
        {problem}
      </p>
    );
  if (left > COUNTDOWN_FROM_CHARACTERS) return null;
  return (
    <p className={left < 0 ? 'text-vermilion' : ''}>
      {left < 0 ? `超出 ${-left} 字` : `还可以写 ${left} 字`}
    </p>
  );
}

/** Grows the field with its text in browsers without `field-sizing`. */
function useGrowth(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.setProperty('height', 'auto');
    const border = element.offsetHeight - element.clientHeight;
    element.style.setProperty('height', `${element.scrollHeight + border}px`);
  });
}
