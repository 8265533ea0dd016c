import type { Readable, Writable } from 'node:stream';

/** An archive or export being written. Exactly one of `commit` and `discard` ends it. */
export interface Draft<Sink> {
  sink: Sink;
  /** Stores it durably under its name. Call it after `sink` has ended. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export interface Listed {
  name: string;
  bytes: number;
  /** Time of the last change in milliseconds. */
  time: number;
}

export interface Destination {
  /** @throws BackupError if there already is an archive with this name, or the bucket refuses */
  begin(name: string): Promise<Draft<Writable>>;
  /** Files, including all complete archives. */
  list(): Promise<Listed[]>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** An archive that can be read several times. */
export interface ArchiveReader {
  open(): { stream: Readable; bytesRead(): number };
  close(): void;
}
