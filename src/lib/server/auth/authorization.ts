/** What old clients send in place of a token they do not have. */
const NO_TOKEN = new Set(['', 'undefined', 'null']);

/**
 * The token of a header, cookie or handshake, null for none. CONTRACT.md, "Basics": the scheme is `Beare`,
 * `Bearer` is accepted, in any case and spacing, and so is none.
 */
export function readToken(value: string | undefined | null): string | null {
  const [first = '', second, ...rest] = (value ?? '').trim().split(/\s+/);
  if (rest.length > 0) return null;
  const hasScheme = /^bearer?$/i.test(first);
  if (second !== undefined && !hasScheme) return null;
  const token = hasScheme ? (second ?? '') : first;
  return NO_TOKEN.has(token) ? null : token;
}
