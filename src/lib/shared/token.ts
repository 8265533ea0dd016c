/** Unverified claims of an access token. They may spare a call; nothing may rely on them. */
export interface TokenClaims {
  /** Username; undefined in tokens of servers that do not include it. */
  username: string | undefined;
  /** User id; undefined in tokens of servers that do not include it. */
  id: string | undefined;
  /** Expiry in milliseconds since the epoch; undefined if the token has none. */
  expires: number | undefined;
}

const SHAPE = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** Reads the claims of a JWT; null if `token` is not a JWT. */
export function readClaims(token: string): TokenClaims | null {
  const payload = SHAPE.exec(token)?.[1];
  if (payload === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (byte) =>
      byte.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof claims !== 'object' || claims === null) return null;
    const { name, sub, exp } = claims as { name?: unknown; sub?: unknown; exp?: unknown };
    return {
      username: typeof name === 'string' ? name : undefined,
      id: typeof sub === 'string' ? sub : undefined,
      expires: typeof exp === 'number' ? exp * 1000 : undefined,
    };
  } catch {
    return null;
  }
}
