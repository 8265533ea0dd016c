/** Tables of what keeps an account its owner's. */
export interface AccountSchema {
  user_totps: UserTotpsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  user_emails: UserEmailsTable;
  account_tickets: AccountTicketsTable;
}

/** The secret that a user's app makes codes from. */
export interface UserTotpsTable {
  user_id: string;
  /** Sealed (seal.ts). */
  secret: string;
  /** Step of time of the code that was taken last: that one and those before are taken no more. */
  last_step: number;
  create_time: number;
}

/** A code that stands in, once, for one of the app. */
export interface RecoveryCodesTable {
  user_id: string;
  /** SHA-256 of the code. */
  hash: string;
}

/** A key of WebAuthn that signs its user in. */
export interface PasskeysTable {
  /** The credential's, base64url. */
  id: string;
  user_id: string;
  /** As its user calls it. */
  name: string;
  /** COSE, base64url. */
  public_key: string;
  sign_count: number;
  /** A JSON list. */
  transports: string;
  create_time: number;
  last_used: number;
}

/** The address of a user who has shown that it is theirs. */
export interface UserEmailsTable {
  user_id: string;
  address: string;
  /** In lower case; unique. */
  address_key: string;
  create_time: number;
}

/** What a secret handed out lets its bearer do, once and for a time (auth/tickets.ts). */
export interface AccountTicketsTable {
  /** SHA-256 of the secret. */
  hash: string;
  kind: string;
  user_id: string | null;
  payload: string;
  expire_time: number;
}
