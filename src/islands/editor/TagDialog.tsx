import { useId, useState, type SubmitEvent } from 'react';
import { isCallError } from '../../lib/client/call-error.ts';
import { isRefusedWith } from '../../lib/client/is-refused-with.ts';
import { checkFields, type FieldErrors } from '../../lib/client/check.ts';
import { call } from '../../lib/stores/api.ts';
import { isComposing } from '../ui/composition.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useOnce } from '../ui/use-once.ts';

interface Props {
  /** What was searched for and not found; null keeps the dialog closed. */
  name: string | null;
  onClose(): void;
  /** Told the name of a tag that exists now. */
  onCreated(name: string): void;
}

/** Asks for a new tag's name and description. */
export function TagDialog({ name, onClose, onCreated }: Props) {
  return (
    <Dialog title="新建标签" isOpen={name !== null} onClose={onClose}>
      {name !== null && <TagForm name={name} onClose={onClose} onCreated={onCreated} />}
    </Dialog>
  );
}

function TagForm({ name: asked, onClose, onCreated }: Props & { name: string }) {
  const id = useId();
  const [name, setName] = useState(asked);
  const [description, setDescription] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isBusy, once] = useOnce();

  async function create(): Promise<void> {
    const found = await checkFields('tagCreate', { name, description });
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    try {
      const tag = await call('tagCreate', { name, description }, { quiet: true });
      onCreated(tag.name);
    } catch (error) {
      if (!isCallError(error)) throw error;
      // Somebody was faster: the tag is there, which is what was wanted.
      if (isRefusedWith(error, 'TAG_TAKEN')) onCreated(name.trim().normalize('NFC'));
      else setErrors({ name: error.message });
    }
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void once(create);
  };

  return (
    <form onSubmit={submit} noValidate className="mt-4">
      <label htmlFor={`${id}-name`} className="block text-sm text-soft">
        名称
      </label>
      <input
        id={`${id}-name`}
        className="field mt-1"
        value={name}
        autoComplete="off"
        aria-invalid={errors['name'] !== undefined}
        aria-describedby={`${id}-name-error`}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && isComposing(event) && event.preventDefault()}
      />
      <p id={`${id}-name-error`} role="alert" className="field-error">
        {errors['name']}
      </p>
      <label htmlFor={`${id}-description`} className="mt-4 block text-sm text-soft">
        描述（可不填）
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
        {errors['description']}
      </p>
      <div className="mt-6 flex justify-end gap-3">
        <button type="button" className="button-quiet bg-transparent cursor-pointer" onClick={onClose}>
          取消
        </button>
        <button type="submit" className="button border-0 cursor-pointer" disabled={isBusy}>
          新建
        </button>
      </div>
    </form>
  );
}
