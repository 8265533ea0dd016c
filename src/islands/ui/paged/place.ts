import { useStore } from '@nanostores/react';
import { useEffect, useMemo } from 'react';
import { cleanKeywords, readPage } from '../../../lib/shared/urls.ts';
import { createPagedList, type Place, type ShowPart } from '../../../lib/stores/paged-list.ts';
import type { SearchableList } from '../../../lib/contract/entities.ts';
import { $query } from '../../../lib/stores/account/address.ts';

/** Query parameters that filter a list, each with its values besides '', or with the kind of its text. */
export type Filters = Readonly<Record<string, readonly string[] | 'text' | 'keywords'>>;

/** Page and filters of a list; '' for a filter that is not set. */
export type PlaceIn<F extends Filters> = Place & {
  [K in keyof F]: F[K] extends readonly (infer V)[] ? V | '' : string;
};

/** Parses a query. Invalid parameters count as absent. */
export function readPlace<F extends Filters>(query: string, filters: F): PlaceIn<F> {
  const url = new URL(query, 'http://place');
  const valueOf = (name: string, values: Filters[string]): string => {
    const text = url.searchParams.get(name) ?? '';
    if (values === 'keywords') return cleanKeywords(text);
    return values === 'text' || values.includes(text) ? text : '';
  };
  const named = Object.entries(filters).map(([name, values]) => [name, valueOf(name, values)] as const);
  const place: Place = { ...Object.fromEntries(named), page: readPage(url) };
  return place as PlaceIn<F>;
}

/** Returns the query of a place, including `?`; empty for the first page of the unfiltered list. */
export function placeQuery(place: Place & Readonly<Record<string, unknown>>): string {
  const filters = Object.entries(place).filter(([name, value]) => name !== 'page' && value !== '');
  const query = new URLSearchParams(filters.map(([name, value]) => [name, String(value)]));
  if (place.page > 1) query.set('page', String(place.page));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

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
