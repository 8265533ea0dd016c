import type { Document } from 'bson';
import { Problem } from '../../markdown-file/problem.ts';
import { openUnpacked } from '../source-file.ts';
import { createByteReader, unpacked, type ByteReader } from './byte-reader.ts';
import { cutOff, parse, readNext } from './documents.ts';

const [HIGH, LOW] = [0xc96c5795, 0xd7870f42];

const highs = new Int32Array(256);
const lows = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (low & 1) === 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) [high, low] = [high ^ HIGH, low ^ LOW];
  }
  highs[byte] = high;
  lows[byte] = low;
}

/** CRC-64/XZ, as in `mongodump`; computed in halves, because BigInt takes fifty times as long. */
export function createCrc64() {
  let [high, low] = [-1, -1];
  return {
    add(bytes: Uint8Array): void {
      for (const byte of bytes) {
        const at = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (lows[at] as number);
        high = (high >>> 8) ^ (highs[at] as number);
      }
    },
    /** Signed 64-bit integer, as in BSON. */
    value: () => BigInt.asIntN(64, (BigInt(~high >>> 0) << 32n) | BigInt(~low >>> 0)),
  };
}

const ARCHIVE_MAGIC = 0x8199e26d;

export interface Stored {
  collection: string;
  bytes: Buffer;
}

export type Contents = Map<string, Set<string>>;

/**
 * Reads the prelude of an archive of `mongodump --archive`: a header, the metadata of each collection, a
 * terminator.
 * @throws Problem
 */
export async function readContents(path: string, name: string): Promise<Contents> {
  const stream = await openUnpacked(path);
  try {
    return await readPrelude(createByteReader(stream), name);
  } catch (error) {
    throw unpacked(error, name);
  } finally {
    stream.destroy();
  }
}

async function readPrelude(reader: ByteReader, name: string): Promise<Contents> {
  const magic = await reader.read(4);
  if (magic.length < 4 || magic.readUInt32LE() !== ARCHIVE_MAGIC)
    throw new Problem(`${name} 不是 mongodump 的归档`);
  if ((await readNext(reader, name)).kind !== 'document') throw cutOff(name);
  const contents: Contents = new Map();
  for (;;) {
    const next = await readNext(reader, name);
    if (next.kind === 'end') throw cutOff(name);
    if (next.kind === 'terminator') return contents;
    const { db, collection, type } = parse(next.bytes, name);
    if (type === 'view') continue;
    contents.set(String(db), (contents.get(String(db)) ?? new Set()).add(String(collection)));
  }
}

/**
 * Yields documents of a database in an archive, in which blocks of the collections alternate.
 * @param wanted the collection; null yields all, and verifies that each is complete
 * @throws Problem
 */
export async function* readArchive(
  path: string,
  name: string,
  { database, wanted }: { database: string; wanted: string | null },
): AsyncGenerator<Stored> {
  const stream = await openUnpacked(path);
  try {
    const reader = createByteReader(stream);
    const contents = await readPrelude(reader, name);
    const check = wanted === null ? createCheck(name) : null;
    for (;;) {
      const next = await readNext(reader, name);
      if (next.kind === 'end') break;
      if (next.kind === 'terminator') throw new Problem(`${name} 已损坏：区块没有开头`);
      const header = parse(next.bytes, name);
      const isWanted = header['db'] === database && (wanted === null || header['collection'] === wanted);
      for await (const bytes of readBlock(reader, name)) {
        check?.add(header, bytes);
        if (isWanted) yield { collection: String(header['collection']), bytes };
      }
      check?.endBlock(header);
    }
    check?.end(contents, database);
  } catch (error) {
    throw unpacked(error, name);
  } finally {
    stream.destroy();
  }
}

async function* readBlock(reader: ByteReader, name: string): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await readNext(reader, name);
    if (next.kind === 'end') throw cutOff(name);
    if (next.kind === 'terminator') return;
    yield next.bytes;
  }
}

/** Verifies the checksum at the end of each collection, and detects collections without an end. */
function createCheck(name: string) {
  const sums = new Map<string, ReturnType<typeof createCrc64>>();
  const ended = new Set<string>();
  const keyOf = ({ db, collection }: Document) => `${db}.${collection}`;
  const sumOf = (key: string) => {
    const sum = sums.get(key) ?? createCrc64();
    sums.set(key, sum);
    return sum;
  };
  return {
    add: (header: Document, bytes: Uint8Array): void => sumOf(keyOf(header)).add(bytes),
    endBlock(header: Document): void {
      if (header['EOF'] !== true) return;
      const key = keyOf(header);
      if (BigInt(String(header['CRC'])) !== sumOf(key).value())
        throw new Problem(`${name} 已损坏：集合 ${key} 的校验和不对`);
      ended.add(key);
    },
    end(contents: Contents, database: string): void {
      const named = [...(contents.get(database) ?? [])].map((collection) => `${database}.${collection}`);
      if ([...sums.keys(), ...named].some((key) => !ended.has(key))) throw cutOff(name);
    },
  };
}
