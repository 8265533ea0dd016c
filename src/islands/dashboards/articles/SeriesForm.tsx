import { useEffect, useRef, useState } from 'react';
import type { SettingsChange } from '../../../lib/stores/article-settings.ts';
import type { Series } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { Select } from '../../ui/form/Choice.tsx';

interface Props {
  username: string;
  isBusy: boolean;
  onChange: (settings: SettingsChange) => void;
  onEnd: () => void;
}

/** The former series of the articles differ, so the change cannot be undone. */
const moveTo = (series: string, title: string): SettingsChange => ({
  to: { series },
  back: null,
  done: (count) => (series === '' ? `已把 ${count} 篇移出专栏` : `已把 ${count} 篇放进《${title}》`),
});

/** Puts the chosen articles in a series, or takes them out. */
export function SeriesForm({ username, isBusy, onChange, onEnd }: Props) {
  const [series, setSeries] = useState<readonly Series[] | null>(null);
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    call('seriesList', { username }).then(
      ({ result }) => setSeries(result),
      () => setSeries([]),
    );
  }, [username]);
  // The field appears once the series are loaded.
  const isLoaded = series !== null;
  useEffect(() => {
    if (isLoaded) field.current?.focus();
  }, [isLoaded]);
  const choose = (id: string) => {
    onChange(moveTo(id, series?.find(({ _id }) => _id === id)?.title ?? ''));
    onEnd();
  };
  if (!isLoaded) return <span className="basis-full py-1 text-soft">加载中……</span>;
  return (
    <span className="basis-full py-1">
      <Select
        ref={field}
        aria-label="放进专栏"
        className="field !w-auto max-w-60"
        value="choose"
        disabled={isBusy}
        onChange={choose}
        onKeyDown={(event) => event.key === 'Escape' && onEnd()}
      >
        <option value="choose" disabled>
          {series.length === 0 ? '还没有专栏' : '选一个专栏'}
        </option>
        {series.map(({ _id, title }) => (
          <option key={_id} value={_id}>
            {title}
          </option>
        ))}
        <option value="">不放进专栏</option>
      </Select>
    </span>
  );
}
