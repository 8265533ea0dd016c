import { useEffect, useRef, useState } from 'react';
import { articleUrl } from '../../lib/shared/urls.ts';
import { explain } from '../../lib/client/call-error.ts';
import type { SeriesDetail } from '../../lib/contract/entities.ts';
import { call } from '../../lib/stores/api.ts';
import { showError } from '../../lib/stores/toasts.ts';
import { Action } from '../ui/Action.tsx';

type Entry = SeriesDetail['articles'][number];

/** Articles of a series, reordered by dragging or with buttons. Every move is saved. */
export function SeriesOrder({ id }: { id: string }) {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [problem, setProblem] = useState('');
  const [status, setStatus] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
  const saving = useRef(Promise.resolve());
  const list = useRef<HTMLOListElement>(null);
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
  const moved = (articleId: string, to: number): readonly Entry[] => {
    const from = entries?.findIndex(({ _id }) => _id === articleId) ?? -1;
    const entry = entries?.[from];
    if (!entries || !entry || to < 0 || to >= entries.length || to === from) return entries ?? [];
    return entries.toSpliced(from, 1).toSpliced(to, 0, entry);
  };
  const move = ({ _id, title }: Entry, to: number, direction: 'up' | 'down') => {
    const order = moved(_id, to);
    setEntries(order);
    save(order);
    setStatus(`《${title || '无标题'}》移到第 ${to + 1} 篇`);
    // Keeps focus on the same button. At the ends of the list that button is disabled; focus the other one.
    requestAnimationFrame(() => {
      const row = list.current?.children[to];
      const same = row?.querySelector<HTMLButtonElement>(`[data-move="${direction}"]:not(:disabled)`);
      (same ?? row?.querySelector<HTMLButtonElement>('button:not(:disabled)'))?.focus();
    });
  };

  if (problem !== '') return <p role="alert">{problem}</p>;
  if (!entries) return <p className="py-3 text-sm text-soft">正在加载……</p>;
  if (entries.length === 0)
    return <p className="py-3 text-sm text-soft">还没有文章。写文章时在「文章设置」里选这个专栏。</p>;
  return (
    <>
      <output className="sr-only">{status}</output>
      <ol ref={list} role="list" className="mb-4">
        {entries.map((entry, index) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- buttons do so too
          <li
            key={entry._id}
            draggable
            className={`hairline flex items-center gap-3 cursor-grab ${dragged === entry._id ? 'opacity-50' : ''}`}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(entry._id);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setEntries(moved(dragged, index));
            }}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => {
              setDragged(null);
              save(entries);
            }}
          >
            <span className="flex-none min-w-6 meta tabular-nums">{index + 1}</span>
            <a href={articleUrl(entry._id)} className="quiet-link flex-1 min-w-0 py-2" draggable={false}>
              <bdi>{entry.title || '无标题'}</bdi>
              {entry.status === 'draft' && <span className="badge ml-2 align-middle">草稿</span>}
              {entry.secret && <span className="badge ml-2 align-middle">私密</span>}
            </a>
            <span className="flex text-sm">
              <Action
                className="disabled:opacity-40"
                data-move="up"
                disabled={index === 0}
                label={`把《${entry.title || '无标题'}》上移`}
                onClick={() => move(entry, index - 1, 'up')}
              >
                上移
              </Action>
              <Action
                className="disabled:opacity-40"
                data-move="down"
                disabled={index === entries.length - 1}
                label={`把《${entry.title || '无标题'}》下移`}
                onClick={() => move(entry, index + 1, 'down')}
              >
                下移
              </Action>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
