/** Part of a list: `page` and `pageSize` count from 1; both may lie beyond the list. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/** Where a page of a list of `total` lies; beyond the last it is the last (CONTRACT.md), at least 1. */
export function locatePage(request: PageRequest, total: number) {
  const pageCount = Math.max(1, Math.ceil(total / request.pageSize));
  const page = Math.min(Math.max(1, request.page), pageCount);
  return { page, pageCount, offset: (page - 1) * request.pageSize };
}
