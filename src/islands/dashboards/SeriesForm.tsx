import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import type { Series } from '../../lib/contract/entities.ts';
import type { SeriesFields } from '../../lib/stores/series.ts';
import { CharacterCount } from '../ui/form/CharacterCount.tsx';
import { isComposing } from '../ui/form/composition.ts';
import { CoverField } from '../ui/form/CoverField.tsx';
import { FormEnd } from '../ui/form/FormEnd.tsx';
import { AreaField, LineField } from '../ui/form/LineField.tsx';
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
      <LineField
        ref={first}
        label="名称"
        dir="auto"
        value={title}
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-problem`}
        onChange={setTitle}
        onKeyDown={onKeyDown}
      />
      <AreaField
        label="介绍"
        hint={<CharacterCount text={description} most={BOUNDS.seriesDescription[1]} />}
        rows={3}
        dir="auto"
        value={description}
        onChange={setDescription}
        onKeyDown={onKeyDown}
      />
      <CoverField cover={cover} onChange={setCover} />
      <FormEnd problem={problem} problemId={`${id}-problem`} isBusy={isBusy} onEnd={onEnd} />
    </form>
  );
}
