export interface AccountSchema {
  user_totps: {
    user_id: string;
    /** Encrypted (seal.ts). */
    secret: string;
    /** Time step of the last accepted code; this code and earlier ones are rejected. */
    last_step: number;
    create_time: number;
  };
  /** A single-use substitute for a code of the app; `hash` is its SHA-256. */
  recovery_codes: {
    user_id: string;
    hash: string;
  };
  passkeys: {
    id: string;
    user_id: string;
    name: string;
    /** Key in COSE format; like the credential's `id` it is base64url. */
    public_key: string;
    sign_count: number;
    /** JSON list. */
    transports: string;
    create_time: number;
    last_used: number;
  };
  /** The verified e-mail address of a user; the unique `address_key` is in lower case. */
  user_emails: {
    user_id: string;
    address: string;
    address_key: string;
    create_time: number;
  };
  /**
   * A secret that permits one action of its bearer for a limited time (safety/tickets.ts); `hash` is its
   * SHA-256.
   */
  account_tickets: {
    hash: string;
    kind: string;
    user_id: string | null;
    payload: string;
    expire_time: number;
  };
  /** An account that is closed at `due_time`; `hash` is the SHA-256 of the secret in the mail's link. */
  closings: {
    user_id: string;
    contents: 'keep' | 'remove';
    hash: string;
    due_time: number;
  };
  /** A token by which a program acts for a user (access/access-tokens.ts); `hash` is its SHA-256. */
  access_tokens: {
    id: string;
    user_id: string;
    name: string;
    hash: string;
    /** JSON list. */
    scopes: string;
    create_time: number;
    expire_time: number;
    /** Time of the last use, to the hour, and the client's address; null and empty before the first. */
    last_used: number | null;
    last_address: string;
  };
  /** An account at an identity provider that signs a user in: `subject` is its permanent id there. */
  identities: {
    issuer: string;
    subject: string;
    user_id: string;
    /** Its name there, shown to the user only. */
    name: string;
    create_time: number;
    last_used: number;
  };
}
