import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Long, serialize, type Document } from 'bson';

/** Collections of a database, with their documents. */
export type Collections = Record<string, Document[]>;

/** Formats in which `mongodump` writes a database. */
export const FORMS = ['folder', 'folder --gzip', 'archive', 'archive --gzip'] as const;
export type Form = (typeof FORMS)[number];

const POLYNOMIAL = 0xc96c5795d7870f42n;
const ALL = (1n << 64n) - 1n;
const MAGIC = Buffer.from([0x6d, 0xe2, 0x99, 0x81]);
const TERMINATOR = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/** CRC-64/XZ by its definition, bit by bit. */
export function crc64(bytes: Uint8Array): bigint {
  let crc = ALL;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ POLYNOMIAL : crc >> 1n;
  }
  return crc ^ ALL;
}

/**
 * Writes the database `Blog` into `place` as `mongodump` does; returns the path to import.
 * @param change modifies the bytes of an archive
 */
export function writeDump(
  place: string,
  collections: Collections,
  form: Form,
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): string {
  const isGzip = form.endsWith('--gzip');
  const packed = (bytes: Buffer): Buffer => (isGzip ? gzipSync(bytes) : bytes);
  if (form.startsWith('archive')) {
    const path = join(place, isGzip ? 'blog.archive.gz' : 'blog.archive');
    writeFileSync(path, packed(change(archiveOf(collections))));
    return path;
  }
  const folder = join(place, 'dump', 'Blog');
  mkdirSync(folder, { recursive: true });
  const ending = isGzip ? '.gz' : '';
  for (const [name, documents] of Object.entries(collections)) {
    const bytes = Buffer.concat(documents.map((document) => serialize(document)));
    writeFileSync(join(folder, `${name}.bson${ending}`), packed(bytes));
    const metadata = JSON.stringify({ options: {}, indexes: [], uuid: '', collectionName: name });
    writeFileSync(join(folder, `${name}.metadata.json${ending}`), packed(Buffer.from(metadata)));
  }
  return join(place, 'dump');
}

/** Returns an archive in which the collections alternate, with two documents per block. */
export function archiveOf(collections: Collections): Buffer {
  const parts: Uint8Array[] = [MAGIC];
  const head = {
    concurrent_collections: 4,
    version: '0.1',
    server_version: '6.0.1',
    tool_version: '100.6.0',
  };
  parts.push(serialize(head));
  for (const [collection, documents] of Object.entries({ ...collections, 'system.views': [] }))
    parts.push(
      serialize({ db: 'Blog', collection, metadata: '{}', size: documents.length, type: 'collection' }),
    );
  parts.push(serialize({ db: 'Blog', collection: 'newest', metadata: '{}', size: 0, type: 'view' }));
  parts.push(TERMINATOR);
  const waiting = Object.entries({ ...collections, 'system.views': [] }).map(([collection, documents]) => ({
    collection,
    documents: documents.map((document) => serialize(document)),
    taken: Buffer.alloc(0),
  }));
  for (let each = waiting.shift(); each; each = waiting.shift()) {
    const { collection } = each;
    const some = each.documents.splice(0, 2);
    const header = { db: 'Blog', collection, EOF: some.length === 0 };
    if (some.length === 0) {
      parts.push(serialize({ ...header, CRC: Long.fromBigInt(BigInt.asIntN(64, crc64(each.taken))) }));
    } else {
      parts.push(serialize({ ...header, CRC: Long.ZERO }), ...some);
      each.taken = Buffer.concat([each.taken, ...some]);
      waiting.push(each);
    }
    parts.push(TERMINATOR);
  }
  return Buffer.concat(parts);
}
