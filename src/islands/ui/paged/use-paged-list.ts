import { useStore } from '@nanostores/react';
import { useEffect, useMemo } from 'react';
import type { SearchableList } from '../../../lib/contract/entities.ts';
import { $query } from '../../../lib/stores/account/address.ts';
import { createPagedList, type ShowPart } from '../../../lib/stores/paged-list.ts';
import { readPlace, type Filters, type PlaceIn } from './place.ts';

/** Request of a list: its place and page size. */
export type Asked<F extends Filters> = PlaceIn<F> & { pageSize: number };

/**
 * List at the place in the URL. Pass constant `filters` and `load`: a new identity would trigger a refetch.
 */
export function usePagedList<T, F extends Filters>(
  filters: F,
  pageSize: number,
  load: (asked: Asked<F>, showPart: ShowPart<T>) => Promise<SearchableList<T>>,
) {
  const query = useStore($query);
  const place = useMemo(() => readPlace(query, filters), [query, filters]);
  const list = useMemo(
    () =>
      createPagedList<T, PlaceIn<F>>(pageSize, (asked, showPart) => load({ ...asked, pageSize }, showPart)),
    [pageSize, load],
  );
  useEffect(() => void list.show(place), [list, place]);
  return { list, place, state: useStore(list.$list) };
}
