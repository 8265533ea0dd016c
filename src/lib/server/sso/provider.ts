import type { Outside } from '../outside/outside.ts';

/** Values that bind an answer of a provider to the browser that asked. */
export interface Secrets {
  state: string;
  nonce: string;
  /** PKCE code verifier. */
  verifier: string;
}

/** A person as a provider describes them. */
export interface Person {
  /** With `subject` the permanent key of the account at the provider. */
  issuer: string;
  subject: string;
  /** Preferred username there, '' if unknown. */
  name: string;
  /** Address that the provider has verified, or that counts as verified by the setting `trustsEmail`. */
  email: string | null;
  /** Reason why `email` is null, for the log. */
  emailFault?: string;
  groups: readonly string[];
  /** Whether the provider says that it asked for a second factor. */
  hasSecondFactor: boolean;
}

export interface Provider {
  /** Returns the address that asks the reader to sign in. */
  begin(secrets: Secrets, redirectUri: string): Promise<URL>;
  /**
   * Exchanges the answer, at the address to which the provider redirected. Throws a refusal when the provider
   * is unreachable, any other error when its answer is invalid.
   */
  finish(callback: URL, secrets: Secrets): Promise<Person>;
  /** Exchanges a made-up code; returns the error code of the answer. Throws as `finish`. */
  check(redirectUri: string): Promise<string>;
}

export type Request = Outside['request'];

/** A code that no provider has issued, and its verifier. */
export const MADE_UP = 'moye-check-moye-check-moye-check-moye-check';

const MAX_CLAIM_CHARACTERS = 255;

/** Reads one line of text of a provider; '' for any other value, or one too long to be a name or an id. */
export function shortText(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > MAX_CLAIM_CHARACTERS) return '';
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) ? '' : text.trim();
}

/** Reads a property of a parsed answer, whatever it is. */
export const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

/** Reads a yes or no of a provider, which some send as a number or a text; null without a value. */
export function flagOf(value: unknown): boolean | null {
  if (value === undefined || value === null || value === '') return null;
  return /^(?:true|1)$/i.test(shortText(value === true ? 'true' : value));
}
