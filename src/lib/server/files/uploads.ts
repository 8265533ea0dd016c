import type { PictureVariant } from '../../contract/picture-variants.ts';

/** Where uploaded files are kept, the same for every node. A name's bytes never change. */
export interface Uploads {
  /** Stores a file durably under a random name with that ending (`-640x480.png`); returns the name. */
  write(bytes: Uint8Array, ending: string): Promise<string>;
  /** Stores a file durably under `name`, one that `isUploadName` knows; again, it is the same file. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Bytes of the file `name`, or null where there is none. */
  size(name: string): Promise<number | null>;
  /** The file `name` as a stream that whoever asked reads or cancels, or null where there is none. */
  open(name: string): Promise<OpenedUpload | null>;
  /** Removes the file `name`; one that is not there is removed already. */
  remove(name: string): Promise<void>;
  /** Files last written before `instant` (milliseconds), unfinished ones included, some at a time. */
  listOlder(instant: number): AsyncIterable<ListedUpload[]>;
  close(): void;
}

/** A file that is there. */
export interface ListedUpload {
  name: string;
  bytes: number;
}

/** A file about to be read. */
export interface OpenedUpload {
  size: number;
  body: ReadableStream<Uint8Array>;
}

/**
 * 128 random bits, in lower case for file systems that ignore case; the size in articles' pictures; width and
 * format of their smaller copies (variants.ts).
 */
const NAME = /^[0-9a-f]{32}(?:-\d{1,8}x\d{1,8})?\.(?:png|jpg|webp)(?:\.\d{3,4}\.(?:avif|webp))?$/;

const CONTENT_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** The media type that the ending of an upload's name says. */
export const contentTypeOf = (name: string): string | undefined =>
  CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)];

/** Whether `text` is a name of our making; nothing else, `../x.png` included, is ever looked up. */
export const isUploadName = (text: string): boolean => NAME.test(text);

/** The file of a smaller copy of the picture `name`. */
export const variantFile = (name: string, { width, format }: PictureVariant): string =>
  `${name}.${width}.${format}`;

/** The picture that the file `name` is a smaller copy of, or `name` itself. */
export const originalOf = (name: string): string => name.replace(/\.\d+\.(?:avif|webp)$/, '');
