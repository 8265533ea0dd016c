import { createHash } from 'node:crypto';
import { BOUNDS, countCharacters } from '../../../contract/rules/bounds.ts';
import { readDataPicture, takeData } from '../../../markdown-file/data-pictures.ts';
import { inspect, type Target } from '../../../markdown-file/inspect.ts';
import type { Edit } from '../../../markdown-file/edits.ts';
import { Problem } from '../../../markdown-file/problem.ts';

/** Distinct pictures of a text that are read; each costs a look-up. */
const MAX_PICTURES = 1_000;

/** Content of an embedded picture, or a Chinese sentence about what is wrong with it. */
export type EmbeddedPicture = { hash: string; bytes: Uint8Array<ArrayBuffer> } | { problem: string };

/** Places of a picture in the text. */
interface EmbeddedPlaces {
  /** The addresses. */
  addresses: { start: number; end: number }[];
  /** Edits that put a note in place of the picture. */
  notes: Edit[];
}

/** A distinct picture of a text. */
export type Embedded = EmbeddedPlaces & { picture: EmbeddedPicture };

/**
 * Finds the pictures that a text contains as `data:` addresses, outside of code, and decodes them. Runs in a
 * thread. Returns null for a text that is too long without them.
 * @throws Problem for a text that nests too deeply
 */
export function readEmbedded(content: string): Embedded[] | null {
  const { text, pictures, offsetOf } = takeData(content);
  if (countCharacters(text) > BOUNDS.content[1]) return null;
  if (pictures.size === 0) return [];
  const found = new Map<string, EmbeddedPlaces>();
  for (const target of inspect(text).targets) {
    const data = target.isPicture ? pictures.get(target.url) : undefined;
    if (data === undefined) continue;
    const places = found.get(data) ?? { addresses: [], notes: [] };
    found.set(data, places);
    places.addresses.push({ start: offsetOf(target.start), end: offsetOf(target.end) });
    places.notes.push(...notesFor(target, offsetOf));
  }
  return [...found].map(([data, places], index) => ({ ...places, picture: readPicture(data, index) }));
}

function notesFor({ start, end, whole, users = [] }: Target, offsetOf: (at: number) => number): Edit[] {
  const notes = (whole ? [whole] : users).map((each) => ({
    start: offsetOf(each.start),
    end: offsetOf(each.end),
    by: `（图片缺失${quoted(each.text)}：内嵌的图片）`,
  }));
  // A definition, which its users no longer name.
  return whole ? notes : [...notes, { start: offsetOf(start), end: offsetOf(end), by: '#' }];
}

/** The label of a picture, unless it contains a picture itself. */
function quoted(label: string): string {
  const words = label.trim();
  return words === '' || words.includes('data:') ? '' : `“${words}”`;
}

function readPicture(data: string, index: number): EmbeddedPicture {
  if (index >= MAX_PICTURES) return { problem: `一篇文章最多能存 ${MAX_PICTURES} 张` };
  try {
    const { bytes } = readDataPicture(data, BOUNDS.imageBytes);
    return { hash: createHash('sha256').update(bytes).digest('hex'), bytes };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message };
    throw error;
  }
}
