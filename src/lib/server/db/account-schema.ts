export interface AccountSchema {
  user_totps: UserTotpsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  user_emails: UserEmailsTable;
  account_tickets: AccountTicketsTable;
}

export interface UserTotpsTable {
  user_id: string;
  /** Encrypted (seal.ts). */
  secret: string;
  /** Time step of the last accepted code; this code and earlier ones are rejected. */
  last_step: number;
  create_time: number;
}

/** A single-use substitute for a code of the app. */
export interface RecoveryCodesTable {
  user_id: string;
  /** SHA-256 of the code. */
  hash: string;
}

export interface PasskeysTable {
  /** Credential id, base64url. */
  id: string;
  user_id: string;
  name: string;
  /** COSE, base64url. */
  public_key: string;
  sign_count: number;
  /** JSON list. */
  transports: string;
  create_time: number;
  last_used: number;
}

/** The verified e-mail address of a user. */
export interface UserEmailsTable {
  user_id: string;
  address: string;
  /** In lower case; unique. */
  address_key: string;
  create_time: number;
}

/** A secret that permits one action of its bearer for a limited time (auth/tickets.ts). */
export interface AccountTicketsTable {
  /** SHA-256 of the secret. */
  hash: string;
  kind: string;
  user_id: string | null;
  payload: string;
  expire_time: number;
}
