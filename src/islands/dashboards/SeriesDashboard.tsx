import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { seriesUrl } from '../../lib/shared/urls.ts';
import type { Series } from '../../lib/contract/entities.ts';
import { askAndRemove } from '../../lib/stores/removal.ts';
import { createOwnSeries, type OwnSeries } from '../../lib/stores/series.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useOpened } from '../settings/use-opened.ts';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Problem } from '../ui/form/Problem.tsx';
import { SeriesForm } from './SeriesForm.tsx';
import { SeriesOrder } from './SeriesOrder.tsx';
import { Action } from '../ui/Action.tsx';

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
            {opened === null && (
              <button type="button" {...opener('new')} className="button-quiet">
                新建专栏
              </button>
            )}
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
