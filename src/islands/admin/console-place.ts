import { cleanKeywords, readPage } from '../../lib/shared/urls.ts';

export interface ConsolePlace {
  page: number;
  /** Tab of the list; empty for all items. */
  show: string;
  keywords: string;
}

export function readConsolePlace(query: string): ConsolePlace {
  const url = new URL(query, 'http://place');
  const text = (name: string) => url.searchParams.get(name) ?? '';
  return { page: readPage(url), show: text('show'), keywords: cleanKeywords(text('q')) };
}

/** Returns the query of a place, including `?`; empty for the first page of the unfiltered list. */
export function consoleQuery({ page, show, keywords }: ConsolePlace): string {
  const named = { show, q: keywords, page: page > 1 ? String(page) : '' };
  const query = new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
