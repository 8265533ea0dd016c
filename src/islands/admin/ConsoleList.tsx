import type { MouseEvent, ReactNode } from 'react';
import { dayOf, formatMinute } from '../../lib/shared/time.ts';
import type { Place, ShowPart } from '../../lib/stores/paged-list.ts';
import type { PartsProps } from '../ui/paged/PagedSection.tsx';
import { placeQuery, type Asked, type PlaceIn } from '../ui/paged/place.ts';
import { PAGE_SIZE } from '../../lib/contract/rules/bounds.ts';
import type { SearchableList } from '../../lib/contract/entities.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedList, type ListContext } from '../ui/paged/PagedList.tsx';
import { PlaceTabs } from '../ui/paged/PlaceTabs.tsx';
import { SearchField } from '../ui/paged/SearchField.tsx';
import { QuietButton } from '../ui/Button.tsx';

/** State of a search in parts, and the links to its other parts. */
function SearchParts<P extends Place & { from: string }>(props: PartsProps<P>) {
  const { place, part, isLoading, onStop, onTurn } = props;
  const { cursor, searchedTo } = part;
  const day = searchedTo === null ? '' : dayOf(formatMinute(searchedTo));
  const linkTo = (from: string) => {
    const query = placeQuery({ ...place, page: 1, from });
    return {
      href: location.pathname + query,
      onClick: (event: MouseEvent) => onTurn(event, query),
      className: 'button-quiet',
    };
  };
  if (!isLoading && cursor === null && place.from === '') return null;
  return (
    <nav aria-label="继续查找" className="hairline flex flex-wrap items-center gap-4 py-6 text-sm text-soft">
      {isLoading && (
        <>
          <span>正在查找，已查到 {day}…</span>
          <QuietButton onClick={onStop}>停止</QuietButton>
        </>
      )}
      {!isLoading && cursor !== null && <a {...linkTo(cursor)}>继续查找 {day} 以前的</a>}
      {!isLoading && cursor === null && <span>已经查到最早的。</span>}
      {!isLoading && place.from !== '' && <a {...linkTo('')}>从最新的查起</a>}
    </nav>
  );
}

/** Twice the page size of public lists, because staff scans through them. */
const CONSOLE_PAGE_SIZE = 2 * PAGE_SIZE;

const FILTERS = { show: 'text', q: 'keywords', from: 'text' } as const;
/**
 * `show` is the tab of the list, '' for all items; `from` is the cursor of a search in parts, '' for the
 * newest rows.
 */
export type ConsoleAsked = Asked<typeof FILTERS>;

export interface ListProps<T> {
  load: (asked: ConsoleAsked, showPart: ShowPart<T>) => Promise<SearchableList<T>>;
  kinds?: readonly { show: string; text: string }[];
  searchLabel?: string;
  /** Measure word of the total: 篇, 个. */
  unit: string;
  empty: string;
  /** Dialog over the list, also over an empty one. */
  reader?: (items: readonly T[], refresh: () => void, place: PlaceIn<typeof FILTERS>) => ReactNode;
  children: (items: readonly T[], shown: ListContext<PlaceIn<typeof FILTERS>>) => ReactNode;
}

/** List in the console, with tabs and search. */
export function ConsoleList<T>({ load, kinds, searchLabel, unit, empty, reader, children }: ListProps<T>) {
  return (
    <PagedList
      filters={FILTERS}
      pageSize={CONSOLE_PAGE_SIZE}
      load={load}
      head={(place, refresh, items) => (
        <>
          {kinds && <PlaceTabs place={place} name="show" tabs={kinds} />}
          {searchLabel !== undefined && <SearchField label={searchLabel} place={place} className="mt-2" />}
          {reader?.(items, refresh, place)}
        </>
      )}
      summary={(total, { from }, part) =>
        `${part && (part.cursor !== null || from !== '') ? '这里找到' : '共'} ${total} ${unit}`
      }
      empty={({ q }, part) => (
        <EmptyState message={q === '' ? empty : `${part?.cursor ? '到这里还' : ''}没有找到「${q}」。`} />
      )}
      Parts={SearchParts}
    >
      {children}
    </PagedList>
  );
}

/**
 * Returns `load` for lists that are searched in parts: it asks for one part after another until the page is
 * full, and shows the results of each.
 */
export const inParts =
  <T,>(load: (asked: Omit<ConsoleAsked, 'from'> & { cursor?: string }) => Promise<SearchableList<T>>) =>
  async ({ from, ...asked }: ConsoleAsked, showPart: ShowPart<T>): Promise<SearchableList<T>> => {
    if (asked.q === '') return load(asked);
    const result: T[] = [];
    for (let cursor = from || 'start'; ;) {
      const found = await load({ ...asked, pageSize: asked.pageSize - result.length, cursor });
      if (found.cursor === undefined) return found;
      result.push(...found.result);
      const all = { ...found, result: [...result], total: result.length };
      if (found.cursor === null || result.length >= asked.pageSize || !showPart(all)) return all;
      cursor = found.cursor;
    }
  };
