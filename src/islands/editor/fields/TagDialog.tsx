import { useId, useState, type SubmitEvent } from 'react';
import { isCallError } from '../../../lib/client/call-error.ts';
import { isRefusedWith } from '../../../lib/client/is-refused-with.ts';
import { checkFields, type FieldErrors } from '../../../lib/client/check.ts';
import { call } from '../../../lib/stores/api.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogEnd } from '../../ui/DialogEnd.tsx';
import { useOnce } from '../../ui/use-once.ts';

interface Props {
  name: string;
  onClose(): void;
  onCreated(): void;
}

/** Asks for the description of a new tag and creates the tag immediately. */
export function TagDialog({ name, onClose, onCreated }: Props) {
  const id = useId();
  const [description, setDescription] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isBusy, once] = useOnce();

  async function create(): Promise<void> {
    const found = await checkFields('tagCreate', { name, description });
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    try {
      await call('tagCreate', { name, description }, { quiet: true });
      onCreated();
    } catch (error) {
      if (!isCallError(error)) throw error;
      const isTaken = isRefusedWith(error, 'TAG_TAKEN');
      setErrors({ description: isTaken ? '已经有这个标签，它的描述没有改' : error.message });
    }
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void once(create);
  };

  return (
    <Dialog title={`标签「${name}」`} isOpen onClose={onClose}>
      <form onSubmit={submit} noValidate className="mt-4">
        <label htmlFor={`${id}-description`} className="block text-sm text-soft">
          描述
        </label>
        <textarea
          id={`${id}-description`}
          className="field mt-1 min-h-24 resize-y"
          value={description}
          rows={3}
          aria-invalid={errors['description'] !== undefined}
          aria-describedby={`${id}-description-error`}
          onChange={({ target }) => setDescription(target.value)}
        />
        <p id={`${id}-description-error`} role="alert" className="field-error">
          {errors['description'] ?? errors['name']}
        </p>
        <DialogEnd action="保存" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
