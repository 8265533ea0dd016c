import type { Generated } from 'kysely';
import type { Role } from '../../contract/permissions.ts';

/** Tables of what staff does. */
export interface StaffSchema {
  site_options: SiteOptionsTable;
  audit_log: AuditLogTable;
  operator_links: OperatorLinksTable;
  reports: ReportsTable;
  tag_aliases: TagAliasesTable;
}

/** Columns of `users` that only staff changes. */
export interface StaffColumns {
  role: Generated<Role>;
  /** When the ban ends; what is past bans nobody. Null where there never was one. */
  banned_until: Generated<number | null>;
  /** Told to whoever is banned. */
  ban_reason: Generated<string>;
  /** Whether what everybody could read of the account is hidden by the ban. */
  ban_hides: Generated<0 | 1>;
}

/** What the operator has settled (contract/site-options.ts); what has no row is as it is by default. */
export interface SiteOptionsTable {
  name: string;
  /** JSON. */
  value: string;
}

/** Who of staff did what, and when. Triggers refuse every change of a row. */
export interface AuditLogTable {
  id: string;
  create_time: number;
  /** Null: the operator, on the command line. Accounts may go, so it names none that must be there. */
  actor_id: string | null;
  /** The actor's name of then; empty on the command line. */
  actor_name: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  /** JSON. */
  before: string;
  after: string;
}

/** A link that makes whoever opens it the operator of a site that has none. */
export interface OperatorLinksTable {
  /** SHA-256 of its key, hex. */
  hash: string;
  expire_time: number;
}

/** What a reader has said against an article, a comment or an account: each reader once. */
export interface ReportsTable {
  id: string;
  subject_kind: 'article' | 'comment' | 'user';
  subject_id: string;
  reporter_id: string;
  /** A name of contract/report-reasons.ts. */
  reason: string;
  /** The reader's own words. */
  note: string;
  create_time: number;
  /** Empty while it waits for staff. */
  decision: Generated<'' | 'upheld' | 'dismissed'>;
  decided_time: Generated<number>;
}

/** A name that stands for a tag of another name: the tag was renamed, or one of that name merged into it. */
export interface TagAliasesTable {
  name: string;
  tag_id: string;
  /** The tag that was merged, which stays, unlisted, until nothing is under it; null: it was renamed. */
  former_id: string | null;
  /** Articles up to this `seq` name the tag as it is called now; null: all do. */
  next_seq: number | null;
  create_time: number;
}
