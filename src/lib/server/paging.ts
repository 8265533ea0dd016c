/**
 * A request for part of a list: `page` counts from 1, `pageSize` is at least 1. Both may lie beyond the list.
 */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/**
 * Where a page of a list of `total` lies. A page beyond the last is the last, as CONTRACT.md clamps it.
 * @returns the page answered, the number of pages (at least 1), and the offset of its first item
 */
export function locatePage(
  request: PageRequest,
  total: number,
): { page: number; pageCount: number; offset: number } {
  const pageCount = Math.max(1, Math.ceil(total / request.pageSize));
  const page = Math.min(Math.max(1, request.page), pageCount);
  return { page, pageCount, offset: (page - 1) * request.pageSize };
}
