import { z } from 'zod';

/**
 * A backup is a tar in one frame of zstd: HEAD, perhaps SECRET, tables in parts, files, MANIFEST. Any
 * engine's rows are in it in the same form, a line each (db/move-rows.ts, `canonical`). docs/decisions/0054.
 */
export const FORMAT = 1;
export const HEAD = 'head.json';
export const SECRET = 'secret.json';
export const MANIFEST = 'manifest.json';

export const partName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.jsonl`;
export const fileName = (name: string): string => `files/${name}`;

const MIB = 1024 * 1024;
/** Bytes of a table's part, which a row may exceed. */
export const PART_BYTES = 4 * MIB;
/** Bytes that an entry may have at most, by the beginning of its name. */
export const ENTRY_BYTES = { head: MIB, secret: MIB, tables: 64 * MIB, files: 64 * MIB, manifest: 512 * MIB };

const count = z.number().int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What every version of the format says of itself first. */
export const FormatNumber = z.object({ moye_backup: z.number().int().min(1) });

/** What the archive is of, and what it will hold. */
export const Head = z.object({
  moye_backup: z.literal(FORMAT),
  /** Version of the product. */
  product: z.string(),
  /** Version of the schema. */
  schema: z.number().int().min(1),
  engine: z.enum(['sqlite', 'postgres']),
  /** The state of the site that it holds. */
  time: z.iso.datetime(),
  tables: z.array(z.object({ name: z.string(), rows: count })),
});
export type Head = z.infer<typeof Head>;

/** Last in the archive: what it holds, to compare with. */
export const Manifest = Head.extend({
  /** The digest is over the lines of all its parts. */
  tables: z.array(z.object({ name: z.string(), rows: count, sha256 })),
  files: z.array(z.object({ name: z.string(), bytes: count, sha256 })),
  /** Files that rows name and that were gone when their turn came. */
  missing: z.array(z.string()),
  /** Digest of the entry SECRET; null where the secret was left out. */
  secret: sha256.nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Why an archive cannot be read or made: one Chinese sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}
