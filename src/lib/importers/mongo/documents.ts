import { deserialize, type Document } from 'bson';
import { Problem } from '../../markdown-file/problem.ts';
import type { ByteReader } from './byte-reader.ts';
import { KIB, MIB } from '../../contract/rules/units.ts';

/** Maximum bytes of a MongoDB document, plus what MongoDB's tools allow in addition. */
const MAX_DOCUMENT_BYTES = 16 * MIB + 16 * KIB;
const MIN_DOCUMENT_BYTES = 5;
/** Replaces a length in an archive, and ends a block. */
const TERMINATOR = 0xffffffff;

export type Next = { kind: 'document'; bytes: Buffer } | { kind: 'terminator' } | { kind: 'end' };

/**
 * Reads a document or the end of a block.
 * @param name name of the file in problems
 * @throws Problem for invalid data, and if the file ends within a document
 */
export async function readNext(reader: ByteReader, name: string): Promise<Next> {
  const head = await reader.read(4);
  if (head.length === 0) return { kind: 'end' };
  if (head.length < 4) throw cutOff(name);
  const length = head.readUInt32LE();
  if (length === TERMINATOR) return { kind: 'terminator' };
  if (length < MIN_DOCUMENT_BYTES) throw new Problem(`${name} 已损坏：文档的长度不对`);
  if (length > MAX_DOCUMENT_BYTES) throw new Problem(`${name} 已损坏：有一个文档超过 16 MiB`);
  const body = await reader.read(length - 4);
  if (body.length < length - 4) throw cutOff(name);
  if (body.at(-1) !== 0) throw new Problem(`${name} 已损坏：文档没有结尾`);
  return { kind: 'document', bytes: Buffer.concat([head, body]) };
}

export const cutOff = (name: string): Problem => new Problem(`${name} 不完整：文件在中间断了`);

/** @throws Problem for an invalid document */
export function parse(bytes: Uint8Array, name: string): Document {
  try {
    // Keeps 64-bit integers exact; U+FFFD replaces invalid UTF-8.
    return deserialize(bytes, { promoteLongs: false, validation: { utf8: false } });
  } catch (error) {
    throw new Problem(`${name} 已损坏：有一个文档读不出来`, { cause: error });
  }
}
