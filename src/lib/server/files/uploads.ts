import { randomBytes } from 'node:crypto';
import type { PictureVariant } from '../../contract/rules/picture-variants.ts';

/** Storage of uploaded files, shared by all nodes. A name's bytes never change. */
export interface Uploads {
  /** Stores a file durably under a name valid for `isUploadName`; repeated calls store the same bytes. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns the size in bytes, or null if there is no such file. */
  size(name: string): Promise<number | null>;
  /** Opens a file as a stream that the caller must read or cancel; null if there is no such file. */
  open(name: string): Promise<OpenedUpload | null>;
  remove(name: string): Promise<void>;
  /** Lists files last written before `instant` (milliseconds) in batches, unfinished ones included. */
  listOlder(instant: number): AsyncIterable<ListedUpload[]>;
  close(): void;
}

export interface ListedUpload {
  name: string;
  bytes: number;
}

export interface OpenedUpload {
  size: number;
  body: ReadableStream<Uint8Array>;
}

/**
 * 128 random bits, in lower case for file systems that ignore case; the size for article pictures; width and
 * format for their smaller copies (variants.ts).
 */
const NAME = /^[0-9a-f]{32}(?:-\d{1,8}x\d{1,8})?\.(?:png|jpg|webp)(?:\.\d{3,4}\.(?:avif|webp))?$/;

const CONTENT_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

export const contentTypeOf = (name: string): string | undefined =>
  CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)];

/** Returns a new random name with that ending (`-640x480.png`). */
export const newUploadName = (ending: string): string => randomBytes(16).toString('hex') + ending;

/** Returns whether `text` is a name that we generate; others, such as `../x.png`, are never looked up. */
export const isUploadName = (text: string): boolean => NAME.test(text);

export const variantFile = (name: string, { width, format }: PictureVariant): string =>
  `${name}.${width}.${format}`;

export const originalOf = (name: string): string => name.replace(/\.\d+\.(?:avif|webp)$/, '');
