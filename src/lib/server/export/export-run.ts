import type { Snapshot } from '../db/database.ts';
import type { Uploads } from '../files/uploads.ts';
import { toInstant } from '../ids.ts';
import { FOLDERS, type Manifest, type Picture } from './format.ts';
import type { filesAfter, Whose } from './export-queries.ts';
import type { ExportSink } from './sink.ts';

/** How far it is: articles, then pictures. */
export interface ExportProgress {
  step: 'articles' | 'pictures';
  done: number;
  total: number;
}

export interface ExportSource {
  snapshot: Snapshot;
  /** When the snapshot was taken, milliseconds. */
  time: number;
  uploads: Pick<Uploads, 'open'>;
  /** A former path of an article as an address. */
  addressOf(path: string): string;
  /** Version of the product. */
  product: string;
  /** The zone of the dates in names of files. */
  timeZone: string;
}

export interface ExportScope {
  /** Id of the author whose things are exported; null: everybody's. */
  whose: Whose;
  /** Whether passwords, as they are stored, roles, bans and addresses are exported. */
  withAccounts: boolean;
}

export interface ExportOptions {
  signal: AbortSignal;
  onProgress(progress: ExportProgress): void;
  /** Called once all rows are read: the snapshot is not needed any more. */
  onRead(): Promise<void>;
}

/** An export under way. */
export type Run = ExportSource &
  ExportScope &
  ExportOptions & { sink: ExportSink; counts: Manifest['counts'] };

/** What is said of an uploaded file; it stands in the folder of its owner. */
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
