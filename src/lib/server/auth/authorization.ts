/** What old clients send in place of a token they do not have. */
const NO_TOKEN = new Set(['', 'undefined', 'null']);

/**
 * The token in an Authorization header, a cookie or a socket's handshake; null when there is none.
 * CONTRACT.md, "Basics": the scheme is `Beare`, `Bearer` is accepted, in any case and spacing; a lone token
 * needs no scheme.
 */
export function readToken(value: string | undefined | null): string | null {
  const [first = '', second, ...rest] = (value ?? '').trim().split(/\s+/);
  if (rest.length > 0) return null;
  const hasScheme = /^bearer?$/i.test(first);
  if (second !== undefined && !hasScheme) return null;
  const token = hasScheme ? (second ?? '') : first;
  return NO_TOKEN.has(token) ? null : token;
}
