/** The table of backups. */
export interface BackupSchema {
  backups: BackupsTable;
}

/** The last backup of each kind, as this database knows it; a backup does not hold it. */
export interface BackupsTable {
  /** Run by the server itself, or by the operator's command. */
  kind: 'scheduled' | 'manual';
  /** The state that the last whole one holds; null before the first. */
  time: number | null;
  bytes: number;
  /** Why the last attempt failed, and when; empty when it did not. */
  error: string;
  error_time: number | null;
}
