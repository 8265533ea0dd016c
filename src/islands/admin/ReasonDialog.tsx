import { useId, useState, type ReactNode } from 'react';
import { FormDialog } from '../ui/form/FormDialog.tsx';

const MAX_REASON_CHARACTERS = 200;

interface Props {
  title: string;
  action: string;
  /** Explains who will read the reason. */
  hint: string;
  onClose(): void;
  /** Performs the action. The dialog closes afterwards. */
  onGiven(reason: string): Promise<void>;
  children?: ReactNode;
}

/** Asks staff for a reason before an action that notifies other users. */
export function ReasonDialog({ title, action, hint, onClose, onGiven, children }: Props) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const give = async () => {
    const given = reason.trim();
    if (given === '') return setMissing(true);
    await onGiven(given);
    onClose();
  };
  return (
    <FormDialog title={title} action={action} onClose={onClose} onGiven={give}>
      <label htmlFor={id} className="block mb-1 text-sm font-600">
        理由
      </label>
      <textarea
        id={id}
        className="field block resize-y"
        rows={3}
        maxLength={MAX_REASON_CHARACTERS}
        dir="auto"
        aria-describedby={`${id}-hint`}
        aria-invalid={isMissing}
        value={reason}
        onChange={({ target }) => {
          setReason(target.value);
          setMissing(false);
        }}
      />
      <p id={`${id}-hint`} className="mt-1 text-sm text-soft" aria-live="polite">
        {isMissing ? <span className="text-vermilion">请写明理由。</span> : hint}
      </p>
      {children}
    </FormDialog>
  );
}
