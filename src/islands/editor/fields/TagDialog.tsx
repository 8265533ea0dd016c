import { useId, useState } from 'react';
import { isRefusedWith } from '../../../lib/client/is-refused-with.ts';
import { checkFields } from '../../../lib/client/check.ts';
import { call } from '../../../lib/stores/api.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogEnd } from '../../ui/DialogEnd.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';

interface Props {
  name: string;
  onClose(): void;
  onCreated(): void;
}

/** Asks for the description of a new tag and creates the tag immediately. */
export function TagDialog({ name, onClose, onCreated }: Props) {
  const id = useId();
  const [description, setDescription] = useState('');
  const { problem, isBusy, onSubmit } = useSubmit(async (): Promise<string | void> => {
    const errors = await checkFields('tagCreate', { name, description });
    const invalid = errors['description'] ?? errors['name'];
    if (invalid !== undefined) return invalid;
    try {
      await call('tagCreate', { name, description }, { quiet: true });
      onCreated();
    } catch (error) {
      if (isRefusedWith(error, 'TAG_TAKEN')) return '已经有这个标签，它的描述没有改';
      throw error;
    }
  });

  return (
    <Dialog title={`标签「${name}」`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} noValidate className="mt-4">
        <label htmlFor={`${id}-description`} className="block text-sm text-soft">
          描述
        </label>
        <textarea
          id={`${id}-description`}
          className="field mt-1 min-h-24 resize-y"
          value={description}
          rows={3}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-description-error`}
          onChange={({ target }) => setDescription(target.value)}
        />
        <p id={`${id}-description-error`} role="alert" className="field-error">
          {problem}
        </p>
        <DialogEnd action="保存" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
