import type { ReactNode } from 'react';
import { PAGE_SIZE } from '../../lib/contract/rules/bounds.ts';
import type { List } from '../../lib/contract/entities.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PagedList, type ListContext } from '../ui/paged/PagedList.tsx';
import type { PlaceIn } from '../ui/paged/place.ts';
import { PlaceTabs } from '../ui/paged/PlaceTabs.tsx';
import { SearchField } from '../ui/paged/SearchField.tsx';
import { CONSOLE_FILTERS, type ConsoleAsked } from './console-place.ts';

/** Twice the page size of public lists, because staff scans through them. */
const CONSOLE_PAGE_SIZE = 2 * PAGE_SIZE;

interface Props<T> {
  load: (asked: ConsoleAsked) => Promise<List<T>>;
  kinds?: readonly { show: string; text: string }[];
  searchLabel?: string;
  /** Measure word of the total: 篇, 个. */
  unit: string;
  empty: string;
  children: (items: readonly T[], shown: ListContext<PlaceIn<typeof CONSOLE_FILTERS>>) => ReactNode;
}

/** List in the console, with tabs and search. */
export function ConsoleList<T>({ load, kinds, searchLabel, unit, empty, children }: Props<T>) {
  return (
    <PagedList
      filters={CONSOLE_FILTERS}
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
