import { useState, type ReactNode } from 'react';

/** What is chosen of a list. */
export interface Selection {
  ids: ReadonlySet<string>;
  choose(ids: readonly string[], isChosen: boolean): void;
}

/** A selection of the list that `of` names; in another list nothing is chosen. */
export function useSelection(of: string): Selection {
  const [chosen, setChosen] = useState<{ of: string; ids: ReadonlySet<string> }>({ of, ids: new Set() });
  const ids = chosen.of === of ? chosen.ids : new Set<string>();
  const choose = (changed: readonly string[], isChosen: boolean) =>
    setChosen({ of, ids: isChosen ? ids.union(new Set(changed)) : ids.difference(new Set(changed)) });
  return { ids, choose };
}

interface BoxProps {
  id: string;
  /** Empty for a draft without one. */
  title: string;
  selection: Selection;
}

/** Chooses one article of a list. */
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

interface BarProps {
  /** Ids of what this page of the list shows. */
  shown: readonly string[];
  selection: Selection;
  /** What is counted: 篇, 张. */
  unit: string;
  /** What can be done with the chosen ones of this page. */
  children: (chosen: readonly string[]) => ReactNode;
}

/** Chooses all of this page, says how many are chosen, and what can be done with them. */
export function SelectionBar({ shown, selection, unit, children }: BarProps) {
  const chosen = shown.filter((id) => selection.ids.has(id));
  const isAll = chosen.length === shown.length;
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
          <button type="button" className="action" onClick={() => selection.choose(shown, false)}>
            取消选择
          </button>
          {children(chosen)}
        </>
      )}
    </div>
  );
}
