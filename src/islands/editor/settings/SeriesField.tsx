import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import { createOwnSeries } from '../../../lib/stores/series.ts';
import { $session } from '../../../lib/stores/account/session.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { isComposing } from '../../ui/form/composition.ts';
import { useOnce } from '../../ui/use-once.ts';

interface Props {
  series: string;
  onChange(series: string): void;
}

export function SeriesField({ series, onChange }: Props) {
  const username = useStore($session)?.username ?? '';
  const store = useMemo(() => createOwnSeries(username), [username]);
  const { data: known, problem } = useStore(store.$series);
  const [isMaking, setMaking] = useState(false);
  useEffect(() => void store.load(), [store]);
  const make = async (title: string) => {
    onChange((await store.create({ title, description: '', cover: '' }))._id);
    setMaking(false);
  };
  const isUnknown = series !== '' && !known?.some(({ _id }) => _id === series);
  return (
    <div className="min-w-0">
      <Choice label="专栏" value={series} onChange={onChange}>
        <option value="">不在专栏里</option>
        {/* Shown until the series have loaded, or if the series was deleted elsewhere. */}
        {isUnknown && <option value={series}>{known ? '已删除的专栏' : '现在的专栏'}</option>}
        {known?.map(({ _id, title }) => (
          <option key={_id} value={_id}>
            {title}
          </option>
        ))}
      </Choice>
      {problem !== '' && (
        <p role="alert" className="mt-1 text-sm text-soft">
          {problem}
          <button type="button" className="button-text" onClick={() => void store.load()}>
            重试
          </button>
        </p>
      )}
      {isMaking ? (
        <NewSeries onMake={make} onCancel={() => setMaking(false)} />
      ) : (
        <div className="flex gap-3">
          <button type="button" className="button-text" onClick={() => setMaking(true)}>
            新建专栏
          </button>
          <a href="/user/series" className="button-text no-underline" target="_blank">
            管理专栏
          </a>
        </div>
      )}
    </div>
  );
}

function NewSeries({ onMake, onCancel }: { onMake(title: string): Promise<void>; onCancel(): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, once] = useOnce();
  useEffect(() => input.current?.focus(), []);
  const make = () =>
    once(async () => {
      const title = input.current?.value.trim() ?? '';
      if (title === '') return setProblem('请填写专栏名称');
      try {
        await onMake(title);
      } catch (error) {
        setProblem(explain(error, '没能新建，请再试一次'));
      }
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event)) return;
    event.preventDefault();
    void make();
  };
  return (
    <div className="mt-2">
      <div className="flex gap-3">
        <input
          ref={input}
          className="field min-w-0 flex-1"
          aria-label="新专栏的名称"
          aria-invalid={problem !== ''}
          placeholder="专栏名称"
          dir="auto"
          onKeyDown={onKeyDown}
        />
        <button type="button" className="button flex-none" disabled={isBusy} onClick={() => void make()}>
          新建
        </button>
        <button type="button" className="button-quiet flex-none bg-transparent" onClick={onCancel}>
          取消
        </button>
      </div>
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
    </div>
  );
}
