/** What an access token says of itself, unverified: to spare a call, nothing to rely on. */
export interface TokenClaims {
  /** Whose it is; undefined in tokens of servers that do not say. */
  username: string | undefined;
  /** When it ends, in milliseconds since the epoch; undefined where it does not say. */
  expires: number | undefined;
}

const SHAPE = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** Reads the claims of a JWT, or null where `token` is none. */
export function readClaims(token: string): TokenClaims | null {
  const payload = SHAPE.exec(token)?.[1];
  if (payload === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (byte) =>
      byte.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof claims !== 'object' || claims === null) return null;
    const { name, exp } = claims as { name?: unknown; exp?: unknown };
    return {
      username: typeof name === 'string' ? name : undefined,
      expires: typeof exp === 'number' ? exp * 1000 : undefined,
    };
  } catch {
    return null;
  }
}
