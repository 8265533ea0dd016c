import type { Snapshot } from '../db/database.ts';
import type { Uploads } from '../files/uploads.ts';
import { toInstant } from '../shared/ids.ts';
import { FOLDERS, type Manifest, type Picture, type Withheld } from './format.ts';
import type { ExportedRow, filesAfter, Whose } from './export-queries.ts';
import type { ExportSink } from './sink.ts';

export interface ExportProgress {
  step: 'articles' | 'pictures';
  done: number;
  total: number;
}

export interface ExportSource {
  snapshot: Snapshot;
  /** When the snapshot was taken, in milliseconds. */
  time: number;
  uploads: Pick<Uploads, 'open'>;
  addressOf(path: string): string;
  product: string;
  timeZone: string;
}

export interface ExportScope {
  whose: Whose;
  /** Whether password hashes, roles, bans and email addresses are exported. */
  withAccounts: boolean;
}

export interface ExportOptions {
  signal: AbortSignal;
  onProgress(progress: ExportProgress): void;
  /** Called once all rows are read: the snapshot is no longer needed. */
  onRead(): Promise<void>;
}

export type Run = ExportSource &
  ExportScope &
  ExportOptions & { sink: ExportSink; counts: Manifest['counts'] };

export const pictureOf = (
  { name, owner_id: owner, kind, bytes, create_time }: Awaited<ReturnType<typeof filesAfter>>[number],
  folder: string,
): Picture => ({
  name,
  owner,
  kind,
  bytes,
  created: toInstant(create_time),
  path: `${folder}${FOLDERS.picture}/${name}`,
});

/** Describes a pending or hidden item. Only the operator gets the reasons. */
export const withheldOf = (
  row: Pick<
    ExportedRow,
    'withheld_state' | 'note' | 'reasons' | 'withheld_time' | 'hidden_by_ban' | 'create_time'
  >,
  isSite: boolean,
): Withheld => ({
  state: row.withheld_state ?? 'hidden',
  note: row.note ?? '',
  reasons: isSite ? (row.reasons ?? '[]') : '[]',
  since: toInstant(row.withheld_time ?? row.create_time),
  by_ban: row.hidden_by_ban === 1,
});
