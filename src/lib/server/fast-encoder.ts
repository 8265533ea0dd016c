import { transcode } from 'node:buffer';

/** Below this many UTF-16 units the way around costs more than it saves. */
const SHORT = 1024;

/**
 * TextEncoder with the same answers, five times as fast on long texts: V8 takes 150 µs to turn a page of 27 KB into UTF-8, an
 * eighth of the time the page takes in all; Node's `transcode` (simdutf) takes 30.
 */
class FastTextEncoder extends TextEncoder {
  override encode(text = ''): Uint8Array<ArrayBuffer> {
    // `transcode` gives up on half a surrogate pair, which must become U+FFFD.
    if (text.length < SHORT || !text.isWellFormed()) return super.encode(text);
    return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8');
  }
}

/** Gives the pages, whose renderer makes its encoder when it is loaded, the fast one. Call before they are imported. */
export function installFastEncoder(): void {
  globalThis.TextEncoder = FastTextEncoder;
}
