export interface SignupSchema {
  invitations: InvitationsTable;
  invitation_uses: InvitationUsesTable;
  former_names: FormerNamesTable;
}

export interface InvitationsTable {
  id: string;
  /** In upper case, as handed out; unique. */
  code: string;
  /** The operator's note about the recipient. */
  note: string;
  most_uses: number;
  uses: number;
  /** Invalid from then on. */
  end_time: number;
  /** Null if created on the command line. Not a foreign key, because accounts may be deleted. */
  creator_id: string | null;
  create_time: number;
}

export interface InvitationUsesTable {
  user_id: string;
  invitation_id: string;
  create_time: number;
}

/** A former name of an account, as hashes: a closed account leaves no readable name. */
export interface FormerNamesTable {
  /** Hash of the folded name. */
  name_hash: string;
  /** Hashes of its skeletons (users/skeletons.ts). */
  skeleton_hash: string;
  written_hash: string;
  /** The renamed account, which may still sign in with the name; null once it is closed. */
  user_id: string | null;
  /** End of the reservation. */
  end_time: number;
}
