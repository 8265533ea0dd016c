import type { ReactNode } from 'react';
import { PAGE_SIZE } from '../../lib/contract/rules/bounds.ts';
import type { List } from '../../lib/contract/entities.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedList, type ListContext } from '../ui/paged/PagedList.tsx';
import type { PlaceIn } from '../ui/paged/place.ts';
import { PlaceTabs } from '../ui/paged/PlaceTabs.tsx';
import { SearchField } from '../ui/paged/SearchField.tsx';
import type { Asked } from '../ui/paged/use-paged-list.ts';

/** Twice the page size of public lists, because staff scans through them. */
const CONSOLE_PAGE_SIZE = 2 * PAGE_SIZE;

const FILTERS = { show: 'text', q: 'keywords' } as const;
/** `show` is the tab of the list, '' for all items. */
export type ConsoleAsked = Asked<typeof FILTERS>;

interface Props<T> {
  load: (asked: ConsoleAsked) => Promise<List<T>>;
  kinds?: readonly { show: string; text: string }[];
  searchLabel?: string;
  /** Measure word of the total: 篇, 个. */
  unit: string;
  empty: string;
  children: (items: readonly T[], shown: ListContext<PlaceIn<typeof FILTERS>>) => ReactNode;
}

/** List in the console, with tabs and search. */
export function ConsoleList<T>({ load, kinds, searchLabel, unit, empty, children }: Props<T>) {
  return (
    <PagedList
      filters={FILTERS}
      pageSize={CONSOLE_PAGE_SIZE}
      load={load}
      head={(place) => (
        <>
          {kinds && <PlaceTabs place={place} name="show" tabs={kinds} />}
          {searchLabel !== undefined && <SearchField label={searchLabel} place={place} className="mt-2" />}
        </>
      )}
      summary={(total) => `共 ${total} ${unit}`}
      empty={({ q }) => <EmptyState message={q === '' ? empty : `没有找到「${q}」。`} />}
    >
      {children}
    </PagedList>
  );
}
