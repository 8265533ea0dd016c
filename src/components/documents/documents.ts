/** Returns a plain-text 404 for programs. */
export const noSuchDocument = (): Response =>
  new Response('没有这份文件\n', { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

export const movedTo = (address: string): Response =>
  new Response(null, { status: 301, headers: { Location: address } });

export const documentOf = (text: string, type: string, headers: Record<string, string> = {}): Response =>
  new Response(text, { headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } });
