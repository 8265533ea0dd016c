import { useState, type ReactNode } from 'react';
import { Action } from '../Action.tsx';

export interface Selection {
  ids: ReadonlySet<string>;
  choose(ids: readonly string[], isChosen: boolean): void;
}

/** Selection of the list named `of`. Another list starts with an empty selection. */
export function useSelection(of: string): Selection {
  const [chosen, setChosen] = useState<{ of: string; ids: ReadonlySet<string> }>({ of, ids: new Set() });
  const ids = chosen.of === of ? chosen.ids : new Set<string>();
  const choose = (changed: readonly string[], isChosen: boolean) =>
    setChosen({ of, ids: isChosen ? ids.union(new Set(changed)) : ids.difference(new Set(changed)) });
  return { ids, choose };
}

interface BoxProps {
  id: string;
  /** Empty for a draft without a title. */
  title: string;
  selection: Selection;
}

export function SelectBox({ id, title, selection }: BoxProps) {
  return (
    <label className="inline-flex flex-none items-center justify-center min-w-8 min-h-11 cursor-pointer">
      <input
        type="checkbox"
        aria-label={`选择《${title || '无标题'}》`}
        checked={selection.ids.has(id)}
        onChange={({ target }) => selection.choose([id], target.checked)}
      />
    </label>
  );
}

interface BarProps<T> {
  items: readonly T[];
  idOf: (item: T) => string;
  selection: Selection;
  /** Measure word of the count: 篇, 张. */
  unit: string;
  children: (chosen: readonly T[]) => ReactNode;
}

export function SelectionBar<T>({ items, idOf, selection, unit, children }: BarProps<T>) {
  const shown = items.map(idOf);
  const chosen = items.filter((item) => selection.ids.has(idOf(item)));
  const isAll = chosen.length === items.length;
  return (
    <div
      className={`flex flex-wrap items-center gap-x-4 min-h-11 text-sm bg-paper ${chosen.length > 0 ? 'sticky top-0 z-1' : ''}`}
    >
      <label className="inline-flex items-center gap-2 min-h-11 pl-2.5 cursor-pointer">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = chosen.length > 0 && !isAll;
          }}
          onChange={({ target }) => selection.choose(shown, target.checked)}
        />
        全选这一页
      </label>
      {chosen.length > 0 && (
        <>
          <output className="text-soft">
            已选 {chosen.length} {unit}
          </output>
          <Action onClick={() => selection.choose(shown, false)}>取消选择</Action>
          {children(chosen)}
        </>
      )}
    </div>
  );
}
