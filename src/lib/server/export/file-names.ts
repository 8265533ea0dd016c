import { hasHiddenCharacter } from '../../contract/rules/names.ts';

/**
 * Maximum UTF-8 bytes of a name without its extension. With date, extension and distinguishing id it stays
 * below the 255 bytes that file systems allow, or 143 bytes if encrypted.
 */
const MAX_NAME_BYTES = 100;
const NAMELESS = '无题';

/** Characters with a special meaning on Windows, in shells, in URLs or for generators. */
const RESERVED = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\\/:*?"<>|#%&{}[\]^`$!'@+=~;,()]/gu;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });

/**
 * Converts `text` to a part of a file name that every file system, zip tool and generator accepts: readable,
 * NFC, without reserved characters, at most 100 bytes, never empty.
 */
export function safeName(text: string): string {
  const plain = [...graphemes.segment(text.toWellFormed().normalize('NFC'))]
    // Keeps the joiner inside emoji.
    .map(({ segment }) => (hasHiddenCharacter(segment) ? segment.replace(/[\p{Cc}\p{Cf}]/gu, ' ') : segment))
    .join('')
    .replace(RESERVED, '-')
    .replace(/\s+/gu, '-')
    .replace(/-{2,}/g, '-');
  const name = trimmed(cut(trimmed(plain)));
  if (name === '') return NAMELESS;
  return DEVICE.test(name) ? `_${name}` : name;
}

/** Strips leading dots, which hide files, trailing dots, which Windows drops, and separators. */
const trimmed = (text: string): string => text.replace(/^[-._\s]+|[-.\s]+$/gu, '');

function cut(text: string): string {
  let bytes = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > MAX_NAME_BYTES) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/**
 * Assigns unique names in a folder, ignoring case. If a name is taken, the end of the item's id is appended,
 * so the name does not depend on unrelated items.
 * @returns a function from a name and an id to the name that is used
 */
export function createNames(): (name: string, id: string) => string {
  const taken = new Set<string>();
  return (name, id) => {
    const candidates = [name, `${name}-${id.slice(-6)}`, `${name}-${id}`];
    const free = candidates.find((each) => !taken.has(keyOf(each))) ?? `${name}-${id}-${taken.size}`;
    taken.add(keyOf(free));
    return free;
  };
}

const keyOf = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase();
