import { atom, type ReadableAtom } from 'nanostores';
import { isCallError } from '../client/call-error.ts';
import type { List } from '../contract/entities.ts';

export type Place = {
  page: number;
};

/** A page of a list. `place` is the page shown; `asked` may be beyond the last page. */
interface Shown<T, P extends Place> {
  items: readonly T[];
  total: number;
  pageCount: number;
  place: P;
  asked: P;
}

export interface ListState<T, P extends Place> {
  shown: Shown<T, P> | null;
  isLoading: boolean;
  /** Why the last request failed, a sentence for the reader; otherwise the empty string. */
  problem: string;
}

export interface PagedList<T, P extends Place> {
  $list: ReadableAtom<ListState<T, P>>;
  /** Loads and shows a page, or the last one if `place` is beyond it. Supersedes earlier requests. */
  show(place: P): Promise<void>;
  /** Reloads the requested page silently; a failure changes nothing. */
  refresh(): Promise<void>;
}

const FAILED = '没有加载成功，请稍后再试';

/**
 * Creates a list whose pages are loaded by `load`. Never throws; errors are in `problem`.
 * @param load responds like the contract's lists: beyond the last page with the items of the last one
 */
export function createPagedList<T, P extends Place>(
  pageSize: number,
  load: (place: P) => Promise<List<T>>,
): PagedList<T, P> {
  const $list = atom<ListState<T, P>>({ shown: null, isLoading: false, problem: '' });
  let asked: P | null = null;
  let turn = 0;

  async function run(place: P, fail: (sentence: string) => void): Promise<void> {
    const mine = ++turn;
    try {
      const { result, total } = await load(place);
      if (mine !== turn) return;
      const pageCount = Math.max(1, Math.ceil(total / pageSize));
      asked = { ...place, page: Math.min(place.page, pageCount) };
      const shown = { items: result, total, pageCount, place: asked, asked: place };
      $list.set({ shown, isLoading: false, problem: '' });
    } catch (error) {
      if (mine === turn) fail(isCallError(error) ? error.message : FAILED);
    }
  }

  return {
    $list,
    async show(place) {
      asked = place;
      $list.set({ ...$list.get(), isLoading: true });
      await run(place, (problem) => $list.set({ ...$list.get(), isLoading: false, problem }));
    },
    async refresh() {
      if (!asked) return;
      await run(asked, (problem) => {
        // This request superseded one that would have shown the failure.
        if ($list.get().isLoading) $list.set({ ...$list.get(), isLoading: false, problem });
      });
    },
  };
}
