import { cleanKeywords, readPage } from '../../components/urls.ts';

/** Where in a list of the console its reader is, as the address says. */
export interface ConsolePlace {
  page: number;
  /** Which part of the list; empty for all of it. */
  show: string;
  keywords: string;
}

/** The place that a query names. */
export function readConsolePlace(query: string): ConsolePlace {
  const url = new URL(query, 'http://place');
  const text = (name: string) => url.searchParams.get(name) ?? '';
  return { page: readPage(url), show: text('show'), keywords: cleanKeywords(text('q')) };
}

/** The query of a place, `?` included; empty for the first page of everything. */
export function consoleQuery({ page, show, keywords }: ConsolePlace): string {
  const named = { show, q: keywords, page: page > 1 ? String(page) : '' };
  const query = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
