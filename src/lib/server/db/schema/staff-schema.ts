import type { Generated } from 'kysely';
import type { ReportReason } from '../../../contract/rules/report-reasons.ts';
import type { Role } from '../../../contract/rules/permissions.ts';

export interface StaffSchema {
  /** Settings of the operator (contract/site-options.ts); without a row the default applies. */
  site_options: {
    name: string;
    /** JSON. */
    value: string;
  };
  /** Environment variables that the operator sets in the console, by group (config/operator-variables.ts). */
  operator_settings: {
    name: string;
    /** JSON: texts by variable; those of secrets are sealed. */
    value: string;
  };
  /** Actions of staff. Triggers refuse every change of a row. */
  audit_log: {
    id: string;
    create_time: number;
    /** Null for the command line. Not a foreign key, because accounts may be deleted. */
    actor_id: string | null;
    /** The actor's name at that time; '' for the command line. */
    actor_name: string;
    action: string;
    subject_kind: string;
    subject_id: string;
    /** JSON. */
    before: string;
    after: string;
  };
  /** A link that makes its user the operator of a site without one; `hash` is the SHA-256 of its key, hex. */
  operator_links: {
    hash: string;
    expire_time: number;
  };
  reports: ReportsTable;
  /** A name for a tag of another name: the tag was renamed, or a tag of this name was merged into it. */
  tag_aliases: {
    name: string;
    tag_id: string;
    /** The merged tag, which stays, unlisted, until no article uses it; null for a renamed tag. */
    former_id: string | null;
    /** Articles up to this `seq` use the tag's current name; null: all do. */
    next_seq: number | null;
    create_time: number;
  };
  /** Client address and account of a saved post, for operators (origins/origin-service.ts). */
  post_origins: {
    id: string;
    kind: 'article' | 'comment' | 'friend';
    item_id: string;
    /** Not a foreign key: the record outlives the account. '' for a visitor. */
    user_id: string;
    username: string;
    address: string;
    create_time: number;
  };
}

export interface StaffColumns {
  role: Generated<Role>;
  /** End of the ban; a past time has no effect. Null if the account was never banned. */
  banned_until: Generated<number | null>;
  /** Shown to the banned user. */
  ban_reason: Generated<string>;
  ban_hides: Generated<0 | 1>;
}

/** A reader's report of an article, a comment or an account; one per reader and subject. */
export interface ReportsTable {
  id: string;
  subject_kind: 'article' | 'comment' | 'user';
  subject_id: string;
  /** Null for a visitor, who left `email` instead, in lower case. */
  reporter_id: string | null;
  email: Generated<string>;
  /** A name from rules/report-reasons.ts. */
  reason: ReportReason;
  note: string;
  create_time: number;
  /** '' while it waits for staff. */
  decision: Generated<'' | 'upheld' | 'dismissed'>;
  decided_time: Generated<number>;
}
