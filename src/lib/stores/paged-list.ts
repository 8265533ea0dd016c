import { atom, type ReadableAtom } from 'nanostores';
import { isCallError } from '../client/call-error.ts';
import type { List } from '../contract/entities.ts';

/** Where in a list the reader is: a page from 1, and whatever else decides what the list holds. */
export interface Place {
  page: number;
}

/** A page of a list: `place`, where it is; `asked`, perhaps beyond the last page. */
export interface Shown<T, P extends Place> {
  items: readonly T[];
  total: number;
  pageCount: number;
  place: P;
  asked: P;
}

/** A list as it stands on the screen. */
export interface ListState<T, P extends Place> {
  /** What came last, null before; it stays while another is under way or fails. */
  shown: Shown<T, P> | null;
  isLoading: boolean;
  /** Why the page asked for last did not come, a sentence for the reader; otherwise the empty string. */
  problem: string;
}

/** A list that is loaded page by page. */
export interface PagedList<T, P extends Place> {
  $list: ReadableAtom<ListState<T, P>>;
  /** Loads a page and shows it, the last where it is beyond; what was asked for before is forgotten. */
  show(place: P): Promise<void>;
  /** Loads what was asked for last once more without saying so; when that fails, all stays as it is. */
  refresh(): Promise<void>;
}

const FAILED = '没有加载成功，请稍后再试';

/**
 * A list whose pages come from `load`. It never throws; what goes wrong is in `problem`.
 * @param load answers as the contract's lists do: beyond the last page with the items of the last
 */
export function createPagedList<T, P extends Place>(
  pageSize: number,
  first: P,
  load: (place: P) => Promise<List<T>>,
): PagedList<T, P> {
  const $list = atom<ListState<T, P>>({ shown: null, isLoading: false, problem: '' });
  let asked = first;
  let turn = 0;

  /** Loads what is asked for; an answer that another request has overtaken counts for nothing. */
  async function run(fail: (sentence: string) => void): Promise<void> {
    const mine = ++turn;
    const place = asked;
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
      await run((problem) => $list.set({ ...$list.get(), isLoading: false, problem }));
    },
    async refresh() {
      await run((problem) => {
        // It has taken the place of a request that would have told.
        if ($list.get().isLoading) $list.set({ ...$list.get(), isLoading: false, problem });
      });
    },
  };
}
