/** Responds with a file and its version as ETag; without the bytes when the client has that version. */
export function sendVersioned(
  request: Request,
  { bytes, type, version }: { bytes: Uint8Array; type: string; version: string },
  caching: string,
): Response {
  const headers = { 'Content-Type': type, ETag: `"${version}"`, 'Cache-Control': caching };
  if (isKnown(request, headers.ETag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), {
    headers: { ...headers, 'Content-Length': String(bytes.length) },
  });
}

export function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get('if-none-match') ?? '';
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
