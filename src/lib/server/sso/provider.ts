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
}

export type Request = Outside['request'];
