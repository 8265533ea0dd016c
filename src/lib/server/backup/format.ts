import { z } from 'zod';
import { MIB } from '../../contract/rules/units.ts';
import type { Database } from '../db/database.ts';

/**
 * A backup is a tar in one zstd frame: HEAD, optionally SECRET, tables in parts, files, MANIFEST. Rows of
 * both engines have the same form, one per line (db/move-rows.ts, `canonical`). See decision 0054.
 */
export const FORMAT = 1;
export const HEAD = 'head.json';
export const SECRET = 'secret.json';
export const MANIFEST = 'manifest.json';

export const partName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.jsonl`;
export const fileName = (name: string): string => `files/${name}`;

/** Size in bytes at which a part of a table ends; the last row may exceed it. */
export const PART_BYTES = 4 * MIB;
/** Maximum bytes of an entry, by the first part of its name. */
export const ENTRY_BYTES = { head: MIB, secret: MIB, tables: 64 * MIB, files: 64 * MIB, manifest: 512 * MIB };

const ENGINES: { [E in Database['engine']]: E } = { sqlite: 'sqlite', postgres: 'postgres' };

const count = z.number().int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Field that every version of the format has; checked first. */
export const FormatNumber = z.object({ moye_backup: z.number().int().min(1) });

export const Head = z.object({
  moye_backup: z.literal(FORMAT),
  product: z.string(),
  schema: z.number().int().min(1),
  engine: z.enum(ENGINES),
  time: z.iso.datetime(),
  tables: z.array(z.object({ name: z.string(), rows: count })),
});
export type Head = z.infer<typeof Head>;

export const Manifest = Head.extend({
  /** The digest covers the lines of all parts. */
  tables: z.array(z.object({ name: z.string(), rows: count, sha256 })),
  files: z.array(z.object({ name: z.string(), bytes: count, sha256 })),
  /** Files that rows name, but that were gone when they were read. */
  missing: z.array(z.string()),
  /** Digest of the entry SECRET; null if the archive has none. */
  secret: sha256.nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Reason why an archive cannot be read or written: a Chinese sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}
