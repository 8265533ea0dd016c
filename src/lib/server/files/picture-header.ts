import type { PictureFormat } from '../../contract/rules/pictures.ts';

export interface PictureSize {
  /** Pixels of a frame; for animations with frames beyond the canvas, of the covered area. */
  width: number;
  height: number;
  frames: number;
  scans: number;
}

type Read = (file: Buffer) => Pick<PictureSize, 'width' | 'height'> & Partial<PictureSize>;

/**
 * Reads the size of a picture without a decoder, in one pass over its structure.
 * @returns null when the file is truncated or declares no pixels
 */
export function readPictureSize(bytes: Uint8Array, format: PictureFormat | 'bmp'): PictureSize | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const size = { frames: 1, scans: 1, ...READERS[format](file) };
    return size.width > 0 && size.height > 0 && size.frames > 0 ? size : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const READERS: Record<PictureFormat | 'bmp', Read> = {
  png: (file) => ({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) }),
  jpeg: readJpeg,
  webp: readWebp,
  gif: readGif,
  avif: readHeif,
  heic: readHeif,
  // A negative height means rows from top to bottom.
  bmp: (file) => ({ width: file.readUInt32LE(18), height: Math.abs(file.readInt32LE(22)) }),
};

const START_OF_SCAN = 0xda;
const END = Buffer.from([0xff, 0xd9]);
/** SOF0 to SOF15, without the tables among them: DHT, JPG and DAC. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(file: Buffer) {
  let size = { width: 0, height: 0 };
  for (let at = 2; ;) {
    if (file.readUInt8(at) !== 0xff) throw new RangeError('no marker');
    const marker = file.readUInt8(at + 1);
    if (marker === START_OF_SCAN) return { ...size, scans: countScans(file, at) };
    if (isFrameHeader(marker) && size.width === 0)
      size = { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + file.readUInt16BE(at + 2);
  }
}

/** In compressed data, 0xff is never followed by a marker code, so scans can be found by searching. */
function countScans(file: Buffer, first: number): number {
  const end = file.indexOf(END, first);
  const data = end === -1 ? file : file.subarray(0, end);
  const scan = Buffer.from([0xff, START_OF_SCAN]);
  let scans = 0;
  for (let at = first; at !== -1; at = data.indexOf(scan, at + 2)) scans++;
  return scans;
}

function readWebp(file: Buffer) {
  let [width, height, frames] = [0, 0, 0];
  const cover = (right: number, bottom: number) => {
    width = Math.max(width, right);
    height = Math.max(height, bottom);
  };
  for (let at = 12; at + 8 < file.length;) {
    const kind = file.toString('latin1', at, at + 4);
    const data = at + 8;
    if (kind === 'VP8X') cover(file.readUIntLE(data + 4, 3) + 1, file.readUIntLE(data + 7, 3) + 1);
    if (kind === 'VP8 ') cover(file.readUInt16LE(data + 6) & 0x3fff, file.readUInt16LE(data + 8) & 0x3fff);
    if (kind === 'VP8L') {
      const sides = file.readUInt32LE(data + 1);
      cover((sides & 0x3fff) + 1, ((sides >> 14) & 0x3fff) + 1);
    }
    if (kind === 'ANMF') {
      cover(
        2 * file.readUIntLE(data, 3) + file.readUIntLE(data + 6, 3) + 1,
        2 * file.readUIntLE(data + 3, 3) + file.readUIntLE(data + 9, 3) + 1,
      );
      frames++;
    }
    const length = file.readUInt32LE(at + 4);
    at = data + length + (length % 2);
  }
  return { width, height, frames: Math.max(frames, 1) };
}

const IMAGE = 0x2c;
const EXTENSION = 0x21;

function readGif(file: Buffer) {
  let [width, height, frames] = [file.readUInt16LE(6), file.readUInt16LE(8), 0];
  const skipColours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + skipColours(file.readUInt8(10));
  const skipBlocks = () => {
    while (at < file.length && file.readUInt8(at) !== 0) at += 1 + file.readUInt8(at);
    at++;
  };
  // Some files lack the trailer; decoders ignore what follows it.
  while (at < file.length) {
    const kind = file.readUInt8(at);
    if (kind === EXTENSION) {
      at += 2;
    } else if (kind === IMAGE) {
      width = Math.max(width, file.readUInt16LE(at + 1) + file.readUInt16LE(at + 5));
      height = Math.max(height, file.readUInt16LE(at + 3) + file.readUInt16LE(at + 7));
      frames++;
      at += 11 + skipColours(file.readUInt8(at + 9));
    } else break;
    skipBlocks();
  }
  return { width, height, frames };
}

/** Returns the largest size of the pictures and tiles in the file's `meta` box (ISO/IEC 23008-12 §6.5.3). */
function readHeif(file: Buffer) {
  let [width, height] = [0, 0];
  for (let at = 0; at < file.length;) {
    const length = file.readUInt32BE(at);
    const end =
      length === 0 ? file.length : at + (length === 1 ? Number(file.readBigUInt64BE(at + 8)) : length);
    if (end < at + 8) throw new RangeError('no box');
    if (file.toString('latin1', at + 4, at + 8) === 'meta') {
      const meta = file.subarray(at, end);
      for (let found = meta.indexOf('ispe'); found !== -1; found = meta.indexOf('ispe', found + 4)) {
        width = Math.max(width, meta.readUInt32BE(found + 8));
        height = Math.max(height, meta.readUInt32BE(found + 12));
      }
    }
    at = end;
  }
  return { width, height };
}
