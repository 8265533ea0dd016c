import { cleanKeywords, readPage } from '../../../lib/shared/urls.ts';
import { OWN_SORTS, type OwnSort } from '../../../lib/contract/rules/own-list.ts';

export interface OwnPlace {
  page: number;
  /** Tab of the list, see pages/own-kinds.ts. */
  show: string;
  keywords: string;
  tag: string;
  /** The empty string is the page's default order. */
  sort: OwnSort | '';
}

/** Parses a query. Invalid parameters count as absent. */
export function readOwnPlace(query: string): OwnPlace {
  const url = new URL(query, 'http://place');
  const text = (name: string) => url.searchParams.get(name) ?? '';
  return {
    page: readPage(url),
    show: text('show'),
    keywords: cleanKeywords(text('q')),
    tag: text('tag'),
    sort: OWN_SORTS.find((sort) => sort === text('sort')) ?? '',
  };
}

/** Returns the query of a place, including `?`; empty for the first page of the unfiltered list. */
export function ownQuery({ page, show, keywords, tag, sort }: OwnPlace): string {
  const named = { show, q: keywords, tag, sort, page: page > 1 ? String(page) : '' };
  const query = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
