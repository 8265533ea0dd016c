import { useRef, useState, type ReactNode } from 'react';
import { Action } from './Action.tsx';

interface Props<T> {
  items: readonly T[];
  /** Identity of an item while it moves. */
  keyOf(item: T): string;
  /** Name of an item in the labels of its buttons. */
  nameOf(item: T): string;
  /** Called with the order during a move; `isDone` once it has ended. */
  onOrder(items: T[], isDone: boolean): void;
  /** Content of a row. */
  children(item: T, index: number): ReactNode;
  /** More buttons of a row. */
  actions?: (item: T, index: number) => ReactNode;
}

/** A list that is put in order by dragging a row at its handle, or with its buttons. */
export function SortableList<T>({ items, keyOf, nameOf, onOrder, children, actions }: Props<T>) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [status, setStatus] = useState('');
  const list = useRef<HTMLOListElement>(null);

  const moved = (key: string, to: number): T[] => {
    const from = items.findIndex((item) => keyOf(item) === key);
    const item = items[from];
    return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item);
  };
  const move = (item: T, to: number, direction: 'up' | 'down') => {
    onOrder(moved(keyOf(item), to), true);
    setStatus(`${nameOf(item)}移到第 ${to + 1} 位`);
    // Keeps focus on the same button. At the ends of the list that button is disabled; focus the other one.
    requestAnimationFrame(() => {
      const row = list.current?.children[to];
      const same = row?.querySelector<HTMLButtonElement>(`[data-move="${direction}"]:not(:disabled)`);
      (same ?? row?.querySelector<HTMLButtonElement>('[data-move]:not(:disabled)'))?.focus();
    });
  };

  return (
    <>
      <output className="sr-only">{status}</output>
      <ol ref={list} role="list">
        {items.map((item, index) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- buttons do so too
          <li
            key={keyOf(item)}
            className={`hairline flex flex-wrap items-center gap-x-3 ${dragged === keyOf(item) ? 'opacity-50' : ''}`}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              onOrder(moved(dragged, index), false);
            }}
            onDrop={(event) => event.preventDefault()}
          >
            <span
              draggable
              title="拖动来排序"
              aria-hidden="true"
              className="flex-none min-w-7 py-2.5 text-center meta tabular-nums cursor-grab"
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                const row = event.currentTarget.parentElement;
                if (row) event.dataTransfer.setDragImage(row, 12, 22);
                setDragged(keyOf(item));
              }}
              onDragEnd={() => {
                setDragged(null);
                onOrder([...items], true);
              }}
            >
              {index + 1}
            </span>
            {children(item, index)}
            <span className="flex ml-auto text-sm">
              {actions?.(item, index)}
              <Action
                className="disabled:opacity-40"
                data-move="up"
                disabled={index === 0}
                label={`把${nameOf(item)}上移`}
                onClick={() => move(item, index - 1, 'up')}
              >
                上移
              </Action>
              <Action
                className="disabled:opacity-40"
                data-move="down"
                disabled={index === items.length - 1}
                label={`把${nameOf(item)}下移`}
                onClick={() => move(item, index + 1, 'down')}
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
