import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import type { Series } from '../../lib/contract/entities.ts';
import type { SeriesFields } from '../../lib/stores/series.ts';
import { CharacterCount } from '../ui/form/CharacterCount.tsx';
import { isComposing } from '../ui/form/composition.ts';
import { CoverField } from '../ui/form/CoverField.tsx';
import { FormEnd } from '../ui/form/FormEnd.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';

interface Props {
  name: string;
  series?: Series;
  /** Makes the call. A thrown error is shown in the form. */
  onSave(fields: SeriesFields): Promise<unknown>;
  onEnd(): void;
}

export function SeriesForm({ name, series, onSave, onEnd }: Props) {
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState(series?.title ?? '');
  const [description, setDescription] = useState(series?.description ?? '');
  const [cover, setCover] = useState(series?.cover ?? '');
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    if (title.trim() === '') {
      first.current?.focus();
      return '请填写专栏名称';
    }
    await onSave({ title, description, cover });
    onEnd();
    return '';
  });
  useEffect(() => first.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') onEnd();
  };
  return (
    <form aria-label={name} method="post" className="mt-2 mb-6 grid gap-4" onSubmit={onSubmit}>
      <div>
        <label htmlFor={`${id}-title`} className="block mb-1 text-sm text-soft">
          名称
        </label>
        <input
          ref={first}
          id={`${id}-title`}
          className="field"
          dir="auto"
          value={title}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => setTitle(target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div>
        <label htmlFor={`${id}-description`} className="block mb-1 text-sm text-soft">
          介绍
        </label>
        <textarea
          id={`${id}-description`}
          className="field block resize-y"
          rows={3}
          dir="auto"
          value={description}
          aria-describedby={`${id}-count`}
          onChange={({ target }) => setDescription(target.value)}
          onKeyDown={onKeyDown}
        />
        <p id={`${id}-count`} className="mt-1 text-sm text-soft">
          <CharacterCount text={description} most={BOUNDS.seriesDescription[1]} />
        </p>
      </div>
      <CoverField cover={cover} onChange={setCover} />
      <FormEnd problem={problem} problemId={`${id}-problem`} isBusy={isBusy} onEnd={onEnd} />
    </form>
  );
}
