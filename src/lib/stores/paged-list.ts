import { atom } from 'nanostores';
import { isCallError } from '../client/call-error.ts';
import type { SearchableList } from '../contract/entities.ts';

export type Place = {
  page: number;
};

/** A page of a list. `place` is the page shown; `asked` may be beyond the last page. */
export interface Shown<T, P extends Place> {
  items: readonly T[];
  total: number;
  pageCount: number;
  place: P;
  asked: P;
  /** Extent of a search in parts; undefined for other lists. */
  part: { cursor: string | null; searchedTo: string | null } | undefined;
}

export interface ListState<T, P extends Place> {
  shown: Shown<T, P> | null;
  isLoading: boolean;
  /** Why the last request failed, a sentence for the reader; otherwise the empty string. */
  problem: string;
}

export type PagedList<T, P extends Place> = ReturnType<typeof createPagedList<T, P>>;

/** Shows the results found until now. Returns false if the search is superseded. */
export type ShowPart<T> = (found: SearchableList<T>) => boolean;

const FAILED = '没有加载成功，请稍后再试';

/**
 * Creates a list whose pages are loaded by `load`. Never throws; errors are in `problem`.
 * @param load responds like the contract's lists: beyond the last page with the items of the last one
 */
export function createPagedList<T, P extends Place>(
  pageSize: number,
  load: (place: P, showPart: ShowPart<T>) => Promise<SearchableList<T>>,
) {
  const $list = atom<ListState<T, P>>({ shown: null, isLoading: false, problem: '' });
  let asked: P | null = null;
  let turn = 0;

  function toShown(place: P, { result, total, cursor, searched_to: searchedTo = null }: SearchableList<T>) {
    const pageCount = Math.max(1, Math.ceil(total / pageSize));
    const part = cursor === undefined ? undefined : { cursor, searchedTo };
    const found = { ...place, page: Math.min(place.page, pageCount) };
    return { items: result, total, pageCount, place: found, asked: place, part };
  }

  async function run(place: P, fail: (sentence: string) => void): Promise<void> {
    const mine = ++turn;
    try {
      const list = await load(place, (found) => {
        // A silent reload keeps what it replaces until it is complete.
        if (mine === turn && $list.get().isLoading)
          $list.set({ shown: toShown(place, found), isLoading: true, problem: '' });
        return mine === turn;
      });
      if (mine !== turn) return;
      const shown = toShown(place, list);
      asked = shown.place;
      $list.set({ shown, isLoading: false, problem: '' });
    } catch (error) {
      if (mine === turn) fail(isCallError(error) ? error.message : FAILED);
    }
  }

  return {
    $list,
    /** Loads and shows a page, or the last one if `place` is beyond it. Supersedes earlier requests. */
    async show(place: P): Promise<void> {
      asked = place;
      $list.set({ ...$list.get(), isLoading: true });
      await run(place, (problem) => $list.set({ ...$list.get(), isLoading: false, problem }));
    },
    /** Reloads the requested page silently; a failure changes nothing. */
    async refresh(): Promise<void> {
      if (!asked) return;
      await run(asked, (problem) => {
        // This request superseded one that would have shown the failure.
        if ($list.get().isLoading) $list.set({ ...$list.get(), isLoading: false, problem });
      });
    },
    /** Ends a search in parts; its results stay. */
    stop(): void {
      turn++;
      $list.set({ ...$list.get(), isLoading: false });
    },
  };
}
