import { useState, type ReactNode } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import { showError } from '../../../lib/stores/toasts.ts';
import { useOnce } from '../use-once.ts';
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
  /** The list on all its pages, which can be selected too. */
  whole?: { total: number; load(): Promise<readonly string[]> };
  /** Receives the chosen items of this page, and the ids of all chosen ones. */
  children: (chosen: readonly T[], ids: readonly string[]) => ReactNode;
}

export function SelectionBar<T>({ items, idOf, selection, unit, whole, children }: BarProps<T>) {
  // Ids of other pages; an item that has left the list since is refused by the server.
  const [others, setOthers] = useState<readonly string[]>([]);
  const [isBusy, once] = useOnce();
  const shown = items.map(idOf);
  const chosen = items.filter((item) => selection.ids.has(idOf(item)));
  const isAll = chosen.length === items.length;
  const ids = [...chosen.map(idOf), ...others.filter((id) => selection.ids.has(id) && !shown.includes(id))];
  const chooseWhole = async () => {
    try {
      const all = (await whole?.load()) ?? [];
      setOthers(all);
      selection.choose(all, true);
    } catch (error) {
      showError(explain(error, '没能选择全部，请再试一次'));
    }
  };
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
            已选 {ids.length} {unit}
          </output>
          {whole && isAll && ids.length < whole.total && (
            <Action disabled={isBusy} onClick={() => void once(chooseWhole)}>
              选择全部 {whole.total} {unit}
            </Action>
          )}
          <Action onClick={() => selection.choose(ids, false)}>取消选择</Action>
          {children(chosen, ids)}
        </>
      )}
    </div>
  );
}
