import type { ComponentType, ReactNode } from 'react';
import { PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import type { SearchableList } from '../../../lib/contract/entities.ts';
import type { Place, ShowPart, Shown } from '../../../lib/stores/paged-list.ts';
import { PagedSection, type PartsProps } from './PagedSection.tsx';
import { placeQuery, usePagedList, type Asked, type Filters, type PlaceIn } from './place.ts';
import { useSelection, type Selection } from './Selection.tsx';

export interface ListContext<P> {
  /** Call after an item has changed or was removed. */
  changed: () => void;
  selection: Selection;
  place: P;
  total: number;
}

type Part = Shown<unknown, Place>['part'];

interface Props<T, F extends Filters> {
  /** Must be a constant, like `load`: a new identity would trigger a refetch. */
  filters: F;
  pageSize?: number;
  load: (asked: Asked<F>, showPart: ShowPart<T>) => Promise<SearchableList<T>>;
  /** Controls above the list, also of an empty one. */
  head?: (place: PlaceIn<F>, refresh: () => void, items: readonly T[]) => ReactNode;
  summary: (total: number, place: PlaceIn<F>, part: Part) => string;
  empty: (place: PlaceIn<F>, part: Part) => ReactNode;
  /** Controls of a search in parts, below its rows. */
  Parts?: ComponentType<PartsProps<PlaceIn<F>>>;
  /** Renders the rows. */
  children: (items: readonly T[], shown: ListContext<PlaceIn<F>>) => ReactNode;
}

/** List with filters, pager and selection. Its whole state is in the URL. */
export function PagedList<T, F extends Filters>(props: Props<T, F>) {
  const { filters, pageSize = PAGE_SIZE, load, head, summary, empty, Parts, children } = props;
  const { list, place, state } = usePagedList(filters, pageSize, load);
  const selection = useSelection(placeQuery(place));
  const shown = state.shown?.place ?? place;
  const part = state.shown?.part;
  return (
    <>
      {head?.(place, () => void list.refresh(), state.shown?.items ?? [])}
      <PagedSection
        state={state}
        asked={place}
        queryOf={placeQuery}
        summary={(total) => summary(total, shown, part)}
        onRetry={() => void list.show(place)}
        onChange={list.refresh}
        empty={empty(shown, part)}
        Parts={Parts}
        onStop={list.stop}
      >
        {(items, changed) =>
          children(items, { changed, selection, place: shown, total: state.shown?.total ?? 0 })
        }
      </PagedSection>
    </>
  );
}
