import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import { $question } from '../../lib/stores/ask.ts';
import { QuietButton } from '../ui/Button.tsx';

/** Dialog for `$question`. Escape answers no. */
export default function Questions() {
  const question = useStore($question);
  const no = useRef<HTMLButtonElement>(null);
  const yes = useRef<HTMLButtonElement>(null);
  if (!question) return null;
  const { title, text, action, isDestructive, answer } = question;
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && answer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-30 bg-black/40" />
        <AlertDialog.Popup
          initialFocus={isDestructive ? no : yes}
          className="fixed left-1/2 top-1/2 z-30 [translate:-50%_-50%] w-[calc(100%-2.5rem)] max-w-96 max-h-[calc(100dvh-2.5rem)] overflow-y-auto p-6 rounded bg-raised shadow-float"
        >
          <AlertDialog.Title className="m-0 text-lg font-700 leading-snug" dir="auto">
            {title}
          </AlertDialog.Title>
          {text !== undefined && (
            <AlertDialog.Description className="mt-2 text-soft" dir="auto">
              {text}
            </AlertDialog.Description>
          )}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <QuietButton ref={no} onClick={() => answer(false)}>
              取消
            </QuietButton>
            <button
              ref={yes}
              type="button"
              className={isDestructive ? 'button-danger' : 'button'}
              onClick={() => answer(true)}
            >
              {action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
