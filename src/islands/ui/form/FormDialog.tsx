import type { ReactNode } from 'react';
import { useSubmit } from './use-submit.ts';
import { Dialog } from '../Dialog.tsx';
import { DialogEnd } from '../DialogEnd.tsx';

interface Props {
  title: string;
  action: string;
  onClose(): void;
  /** Performs the action. A thrown error is shown in the dialog. */
  onGiven(): Promise<void>;
  children: ReactNode;
}

/** Dialog with a form. */
export function FormDialog({ title, action, onClose, onGiven, children }: Props) {
  const { problem, isBusy, onSubmit } = useSubmit(onGiven, `没能${action}，请再试一次`);
  return (
    <Dialog title={title} isOpen onClose={onClose} place="top">
      <form method="post" className="mt-4" onSubmit={onSubmit}>
        {children}
        <p role="alert" className="field-error empty:hidden">
          {problem}
        </p>
        <DialogEnd action={action} isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
