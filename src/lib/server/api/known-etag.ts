export function isKnown(request: Request, etag: string): boolean {
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.includes(etag) ?? false;
}
