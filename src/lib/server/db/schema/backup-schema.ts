export interface BackupSchema {
  backups: BackupsTable;
}

/** The last backup of each kind, as this database knows it; a backup does not contain this table. */
export interface BackupsTable {
  kind: 'scheduled' | 'manual';
  /** Time of the state in the last complete backup; null before the first. */
  time: number | null;
  bytes: number;
  /** Error and time of the last attempt, if it failed; else '' and null. */
  error: string;
  error_time: number | null;
}
