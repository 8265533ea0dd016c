import { useEffect, useRef, useState } from 'react';
import { articleUrl } from '../../lib/shared/urls.ts';
import { explain } from '../../lib/client/call-error.ts';
import type { SeriesDetail } from '../../lib/contract/entities.ts';
import { call } from '../../lib/stores/api.ts';
import { showError } from '../../lib/stores/toasts.ts';
import { SortableList } from '../ui/SortableList.tsx';

type Entry = SeriesDetail['articles'][number];

/** Articles of a series in their order. Every move is saved. */
export function SeriesOrder({ id }: { id: string }) {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [problem, setProblem] = useState('');
  const saving = useRef(Promise.resolve());
  useEffect(() => {
    call('seriesDetail', { id }, { quiet: true }).then(
      ({ articles }) => setEntries(articles),
      (error: unknown) => setProblem(explain(error, '没有取到文章')),
    );
  }, [id]);

  /** Saves are queued, so the last order wins. */
  const save = (order: readonly Entry[]) => {
    const ids = order.map(({ _id }) => _id);
    saving.current = saving.current
      .then(() => call('seriesOrder', { id, ids }, { quiet: true }))
      .then(
        () => undefined,
        (error: unknown) => showError(explain(error, '顺序没有保存，请再试一次')),
      );
  };

  if (problem !== '') return <p role="alert">{problem}</p>;
  if (!entries) return <p className="py-3 text-sm text-soft">正在加载……</p>;
  if (entries.length === 0)
    return <p className="py-3 text-sm text-soft">还没有文章。写文章时在「文章设置」里选这个专栏。</p>;
  return (
    <div className="mb-4">
      <SortableList
        items={entries}
        keyOf={({ _id }) => _id}
        nameOf={({ title }) => `《${title || '无标题'}》`}
        onOrder={(order, isDone) => {
          setEntries(order);
          if (isDone) save(order);
        }}
      >
        {(entry) => (
          <a
            href={articleUrl(entry._id, entry.address)}
            className="quiet-link flex-1 min-w-0 py-2"
            draggable={false}
          >
            <bdi>{entry.title || '无标题'}</bdi>
            {entry.status === 'draft' && <span className="badge ml-2 align-middle">草稿</span>}
            {entry.secret && <span className="badge ml-2 align-middle">私密</span>}
          </a>
        )}
      </SortableList>
    </div>
  );
}
