import { useCallback, useEffect, useRef, useState } from 'react';
import type { SettingsChange } from '../../../lib/stores/article-settings.ts';
import type { Series } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { Action } from '../../ui/Action.tsx';
import { Answered } from '../../ui/form/Answered.tsx';
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
export function SeriesForm({ username, ...form }: Props) {
  const load = useCallback(() => call('seriesList', { username }, { quiet: true }), [username]);
  return (
    <div className="basis-full py-1">
      <Answered ask={load} waiting={<p className="text-soft">加载中……</p>}>
        {({ result }) => <SeriesChoice series={result} {...form} />}
      </Answered>
    </div>
  );
}

interface ChoiceProps extends Omit<Props, 'username'> {
  series: readonly Series[];
}

function SeriesChoice({ series, isBusy, onChange, onEnd }: ChoiceProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => field.current?.focus(), []);
  const move = () => {
    if (chosen === null) return field.current?.focus();
    onChange(moveTo(chosen, series.find(({ _id }) => _id === chosen)?.title ?? ''));
    onEnd();
  };
  return (
    <span className="flex items-center gap-x-3">
      <Select
        ref={field}
        aria-label="放进专栏"
        className="field !w-auto min-w-0 max-w-60"
        value={chosen ?? 'choose'}
        disabled={isBusy}
        onChange={setChosen}
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
      <Action disabled={isBusy} onClick={move}>
        {chosen === '' ? '移出' : '放进'}
      </Action>
    </span>
  );
}
