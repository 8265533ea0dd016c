import { cleanKeywords, readPage } from '../../components/urls.ts';
import { OWN_SORTS, type OwnSort } from '../../lib/contract/own-list.ts';

/** Where in a list of one's own articles the reader is, as the address says. */
export interface OwnPlace {
  page: number;
  /** Of components/own-kinds.ts. */
  show: string;
  keywords: string;
  tag: string;
  /** The empty string is the page's own order. */
  sort: OwnSort | '';
}

/** The place that a query names; what it names wrongly is as if it were not there. */
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

/** The query of a place, `?` included; empty for the first page of everything. */
export function ownQuery({ page, show, keywords, tag, sort }: OwnPlace): string {
  const named = { show, q: keywords, tag, sort, page: page > 1 ? String(page) : '' };
  const query = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
