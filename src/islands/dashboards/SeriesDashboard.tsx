import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from '@nanostores/react';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import type { Series } from '../../lib/contract/entities.ts';
import { createOwnSeries, type OwnSeries, type SeriesFields } from '../../lib/stores/series.ts';
import { CharacterCount } from '../ui/form/CharacterCount.tsx';
import { isComposing } from '../ui/form/composition.ts';
import { CoverField } from '../ui/form/CoverField.tsx';
import { FormEnd } from '../ui/form/FormEnd.tsx';
import { AreaField, LineField } from '../ui/form/LineField.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { seriesUrl } from '../../lib/shared/urls.ts';
import { askAndRemove } from '../../lib/stores/removal.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useOpened } from '../settings/use-opened.ts';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Problem } from '../ui/form/Problem.tsx';
import { Action } from '../ui/Action.tsx';
import { SeriesOrder } from './SeriesOrder.tsx';
import { QuietButton } from '../ui/Button.tsx';

interface Props {
  name: string;
  series?: Series;
  /** Makes the call. A thrown error is shown in the form. */
  onSave(fields: SeriesFields): Promise<unknown>;
  onEnd(): void;
}

function SeriesForm({ name, series, onSave, onEnd }: Props) {
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

export default forSignedIn(function SeriesDashboard({ username }) {
  const store = useMemo(() => createOwnSeries(username), [username]);
  const { data: series, problem } = useStore(store.$series);
  const { opened, opener, close, section } = useOpened<'new'>();
  useEffect(() => void store.load(), [store]);
  if (!series && problem === '') return <div className="skeleton-rows" />;
  return (
    <>
      <Problem text={problem} onRetry={() => void store.load()} />
      {series && (
        <div ref={section} className="pb-16">
          <div className="flex items-center justify-between gap-4 mb-2">
            <p className="meta">共 {series.length} 个专栏</p>
            {opened === null && <QuietButton {...opener('new')}>新建专栏</QuietButton>}
          </div>
          {opened && <SeriesForm name="新建专栏" onSave={store.create} onEnd={close} />}
          {series.length === 0 && opened === null && (
            <EmptyState message="还没有专栏。把一组文章按自己的顺序放在一起，读者就能一篇接一篇读下去。" />
          )}
          <ul role="list">
            {series.map((each) => (
              <Row key={each._id} series={each} store={store} />
            ))}
          </ul>
        </div>
      )}
    </>
  );
});

function Row({ series, store }: { series: Series; store: OwnSeries }) {
  const { _id, title, description, page_num } = series;
  const [shown, setShown] = useState<'form' | 'order' | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const remove = () =>
    askAndRemove({
      title: `删除专栏《${title}》？`,
      text: '里面的文章都会留下，只是不再属于这个专栏。',
      remove: () => store.remove(_id),
      settled: (isRemoved) => {
        if (!isRemoved) void store.load();
      },
    });
  const end = () => {
    setShown(null);
    setTimeout(() => row.current?.querySelector('button')?.focus());
  };
  return (
    <li ref={row} className="hairline py-4">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <a href={seriesUrl(_id)} className="quiet-link flex-1 min-w-0 text-lg font-600">
          <bdi>{title}</bdi>
        </a>
        <span className="meta tabular-nums whitespace-nowrap">{page_num} 篇</span>
      </div>
      {description !== '' && (
        <p className="mt-1 text-sm text-soft line-clamp-2" dir="auto">
          {description}
        </p>
      )}
      <p className="flex gap-1 mx--2 text-sm">
        <Action
          label={`编辑专栏《${title}》`}
          aria-expanded={shown === 'form'}
          onClick={() => setShown(shown === 'form' ? null : 'form')}
        >
          编辑
        </Action>
        <Action
          label={`排列文章：《${title}》`}
          aria-expanded={shown === 'order'}
          onClick={() => setShown(shown === 'order' ? null : 'order')}
        >
          排列文章
        </Action>
        <Action isDangerous label={`删除专栏《${title}》`} work={remove}>
          删除
        </Action>
      </p>
      {shown === 'form' && (
        <SeriesForm
          name={`编辑专栏《${title}》`}
          series={series}
          onSave={(fields) => store.edit(_id, fields)}
          onEnd={end}
        />
      )}
      {shown === 'order' && <SeriesOrder id={_id} />}
    </li>
  );
}
