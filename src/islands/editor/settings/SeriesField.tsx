import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { createOwnSeries } from '../../../lib/stores/series.ts';
import { $session } from '../../../lib/stores/account/session.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { isComposing } from '../../ui/form/composition.ts';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { MainButton, QuietButton, TextButton } from '../../ui/Button.tsx';

export function SeriesField({ series, onChange }: { series: string; onChange(series: string): void }) {
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
          <TextButton onClick={() => void store.load()}>重试</TextButton>
        </p>
      )}
      {isMaking ? (
        <NewSeries onMake={make} onCancel={() => setMaking(false)} />
      ) : (
        <div className="flex gap-3">
          <TextButton onClick={() => setMaking(true)}>新建专栏</TextButton>
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
  const { problem, isBusy, onSubmit } = useSubmit(async (): Promise<string | void> => {
    const title = input.current?.value.trim() ?? '';
    if (title === '') return '请填写专栏名称';
    await onMake(title);
  }, '没能新建，请再试一次');
  useEffect(() => input.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isComposing(event)) onSubmit(event);
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
        <MainButton className="flex-none" disabled={isBusy} onClick={onSubmit}>
          新建
        </MainButton>
        <QuietButton className="flex-none" onClick={onCancel}>
          取消
        </QuietButton>
      </div>
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
    </div>
  );
}
