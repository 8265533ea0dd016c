import { refuse } from '../../contract/rules/errors.ts';

const HEADER = /^data:image\/(?:png|jpe?g|webp)(?:;[a-z0-9-]+=[\w-]*)*;base64,/i;
const MAX_HEADER_CHARACTERS = 200;

/**
 * Returns the bytes of an image's data URL. Refuses with IMAGE_MISSING (empty), IMAGE_UNREADABLE (malformed,
 * not PNG, JPEG or WebP), BODY_TOO_LARGE beyond `most` bytes.
 */
export function readImageDataUrl(text: string, most: number): Buffer {
  if (text.trim() === '') refuse('IMAGE_MISSING');
  const header = HEADER.exec(text.slice(0, MAX_HEADER_CHARACTERS))?.[0];
  if (header === undefined) refuse('IMAGE_UNREADABLE');
  const base64 = text.slice(header.length);
  if (Math.floor((base64.length * 3) / 4) - 2 > most) refuseLarge(most);
  // Clients that do not escape `+` in a form send a space.
  const bytes = Buffer.from(base64.replaceAll(' ', '+'), 'base64');
  const padding = /={0,2}$/.exec(base64.slice(-2))?.[0].length ?? 0;
  // The decoder skips invalid characters, so a wrong length reveals them. A regular expression would take a
  // quarter of a second for 16 MiB.
  const isAscii = Buffer.byteLength(base64) === base64.length;
  const isWhole = isAscii && bytes.length === Math.floor(((base64.length - padding) * 3) / 4);
  if (bytes.length === 0 || !isWhole) refuse('IMAGE_UNREADABLE');
  if (bytes.length > most) refuseLarge(most);
  return bytes;
}

export function refuseLarge(most: number): never {
  refuse('BODY_TOO_LARGE', { text: `图片不能超过 ${Math.floor(most / 1024 / 1024)} MB` });
}
