import { useRef, useState, type ReactNode } from 'react';
import { Action } from './Action.tsx';

interface ListMove<T> {
  name: string;
  /** Text of its button. */
  text: string;
  /** Returns the list after the move; null if the item cannot move so. */
  apply(items: readonly T[], item: T): readonly T[] | null;
}

interface Props<T> {
  items: readonly T[];
  /** Identity of an item while it moves. */
  keyOf(item: T): string;
  /** Name of an item in the labels of its buttons. */
  nameOf(item: T): string;
  /** Called with the order during a move; `isDone` once it has ended. */
  onOrder(items: readonly T[], isDone: boolean): void;
  /** Content of a row. */
  children(item: T, index: number): ReactNode;
  /** More buttons of a row. */
  actions?: (item: T, index: number) => ReactNode;
  /** Moves of a list that is more than a sequence; by default one place up or down. */
  moves?: readonly ListMove<T>[];
  /** Returns the list with `item` at the place of `other`, by default by moving it; null if it cannot be. */
  drop?: (items: readonly T[], item: T, other: T) => readonly T[] | null;
  /** Further classes of a row. */
  classOf?: (item: T) => string | undefined;
}

function moveTo<T>(items: readonly T[], item: T, to: number): readonly T[] | null {
  if (to < 0 || to >= items.length) return null;
  return items.toSpliced(items.indexOf(item), 1).toSpliced(to, 0, item);
}

const byPlaces = (name: string, text: string, places: number) => ({
  name,
  text,
  apply: <T,>(items: readonly T[], item: T) => moveTo(items, item, items.indexOf(item) + places),
});
const UP_AND_DOWN = [byPlaces('up', '上移', -1), byPlaces('down', '下移', 1)];

/** A list that is put in order by dragging a row at its handle, or with its buttons. */
export function SortableList<T>({
  items,
  keyOf,
  nameOf,
  onOrder,
  children,
  actions,
  moves = UP_AND_DOWN,
  drop = (all, item, other) => moveTo(all, item, all.indexOf(other)),
  classOf,
}: Props<T>) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [status, setStatus] = useState('');
  const list = useRef<HTMLOListElement>(null);

  const move = (item: T, { name, text, apply }: ListMove<T>) => {
    const next = apply(items, item);
    if (!next) return;
    onOrder(next, true);
    const to = next.findIndex((each) => keyOf(each) === keyOf(item));
    setStatus(`${nameOf(item)}已${text}，现在是第 ${to + 1} 位`);
    // Keeps focus on the same button; if it is disabled now, on another one of the row.
    requestAnimationFrame(() => {
      const row = list.current?.children[to];
      const same = row?.querySelector<HTMLButtonElement>(`[data-move="${name}"]:not(:disabled)`);
      (same ?? row?.querySelector<HTMLButtonElement>('[data-move]:not(:disabled)'))?.focus();
    });
  };
  const dragOver = (other: T) => {
    const item = items.find((each) => keyOf(each) === dragged);
    const next = item === undefined || item === other ? null : drop(items, item, other);
    if (next) onOrder(next, false);
  };

  return (
    <>
      <output className="sr-only">{status}</output>
      <ol ref={list} role="list">
        {items.map((item, index) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- buttons do so too
          <li
            key={keyOf(item)}
            className={`hairline flex flex-wrap items-center gap-x-3 ${classOf?.(item) ?? ''} ${dragged === keyOf(item) ? 'opacity-50' : ''}`}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              dragOver(item);
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
                onOrder(items, true);
              }}
            >
              {index + 1}
            </span>
            {children(item, index)}
            <span className="flex flex-wrap justify-end ml-auto text-sm">
              {actions?.(item, index)}
              {moves.map((each) => (
                <Action
                  key={each.name}
                  className="disabled:opacity-40"
                  data-move={each.name}
                  disabled={each.apply(items, item) === null}
                  label={`把${nameOf(item)}${each.text}`}
                  onClick={() => move(item, each)}
                >
                  {each.text}
                </Action>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
