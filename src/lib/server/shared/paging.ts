/** A requested page of a list: `page` and `pageSize` count from 1; `page` may be beyond the end. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/**
 * Returns the position of a page in a list of `total`; a page beyond the last becomes the last (CONTRACT.md),
 * at least 1.
 */
export function locatePage(request: PageRequest, total: number) {
  const pageCount = Math.max(1, Math.ceil(total / request.pageSize));
  const page = Math.min(Math.max(1, request.page), pageCount);
  return { page, pageCount, offset: (page - 1) * request.pageSize };
}
