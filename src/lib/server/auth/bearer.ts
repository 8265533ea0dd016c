const NO_TOKEN = new Set(['', 'undefined', 'null']);

/**
 * Returns the token of a header, cookie or handshake, or null. CONTRACT.md, "Basics": the scheme is `Beare`;
 * `Bearer` and no scheme are accepted too, in any case and spacing.
 */
export function readToken(value: string | undefined | null): string | null {
  const [first = '', second, ...rest] = (value ?? '').trim().split(/\s+/);
  if (rest.length > 0) return null;
  const hasScheme = /^bearer?$/i.test(first);
  if (second !== undefined && !hasScheme) return null;
  const token = hasScheme ? (second ?? '') : first;
  return NO_TOKEN.has(token) ? null : token;
}
