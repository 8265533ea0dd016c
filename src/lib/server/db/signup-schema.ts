/** The tables of who may sign up. */
export interface SignupSchema {
  invitations: InvitationsTable;
  invitation_uses: InvitationUsesTable;
  former_names: FormerNamesTable;
}

/** A code that lets somebody make an account. */
export interface InvitationsTable {
  id: string;
  /** As it is handed out, in upper case; unique. */
  code: string;
  /** Whom it is for, in the operator's words. */
  note: string;
  most_uses: number;
  uses: number;
  /** From then on it is worth nothing. */
  end_time: number;
  /** Null: made on the command line. Accounts may go, so it names none that must be there. */
  creator_id: string | null;
  create_time: number;
}

/** The invitation that an account was made by. */
export interface InvitationUsesTable {
  user_id: string;
  invitation_id: string;
  create_time: number;
}

/** A name that an account had, as hashes: a closed account leaves no name behind. */
export interface FormerNamesTable {
  /** Of the folded name. */
  name_hash: string;
  /** Of its skeletons (users/skeletons.ts). */
  skeleton_hash: string;
  written_hash: string;
  /** The account that was renamed, which may still sign in by the name; null once it is closed. */
  user_id: string | null;
  /** The name is reserved until then. */
  end_time: number;
}
