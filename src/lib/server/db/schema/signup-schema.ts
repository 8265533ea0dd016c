import type { Generated } from 'kysely';

export interface SignupSchema {
  invitations: InvitationsTable;
  invitation_uses: {
    user_id: string;
    invitation_id: string;
    create_time: number;
  };
  /**
   * A former name of an account, reserved until `end_time`. Names of closed accounts, and those that staff
   * replaced, are stored only as hashes.
   */
  former_names: {
    name_hash: string;
    /** Hashes of the skeletons (users/skeletons.ts). */
    skeleton_hash: string;
    written_hash: string;
    /** The renamed account; null once it is closed. */
    user_id: string | null;
    /** The name, if its user gave it up: it redirects to the account. Otherwise '': its owner may sign in. */
    name: Generated<string>;
    end_time: number;
  };
}

export interface InvitationsTable {
  id: string;
  /** In upper case, as handed out; unique. */
  code: string;
  note: string;
  most_uses: number;
  uses: number;
  /** Invalid from then on. */
  end_time: number;
  /** Null if created on the command line. Not a foreign key, because accounts may be deleted. */
  creator_id: string | null;
  create_time: number;
}
