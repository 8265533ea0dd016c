import { hasHiddenCharacter } from '../../contract/names.ts';

/**
 * UTF-8 bytes of a name without its ending: with the date, the ending and what tells two apart it stays below
 * the 255 bytes, and the 143 of encrypted file systems, that a name may have.
 */
const MOST_BYTES = 100;
const NAMELESS = '无题';

/** What Windows, shells, addresses or generators take for something else. */
const RESERVED = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\\/:*?"<>|#%&{}[\]^`$!'@+=~;,()]/gu;
/** Names of devices on Windows, whatever follows after a full stop. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });

/**
 * `text` as part of a file's name, which every file system, zip and generator takes: readable, NFC, without
 * characters that are reserved anywhere, at most 100 bytes, never empty.
 */
export function safeName(text: string): string {
  const plain = [...graphemes.segment(text.toWellFormed().normalize('NFC'))]
    // The joiner stays inside emoji.
    .map(({ segment }) => (hasHiddenCharacter(segment) ? segment.replace(/[\p{Cc}\p{Cf}]/gu, ' ') : segment))
    .join('')
    .replace(RESERVED, '-')
    .replace(/\s+/gu, '-')
    .replace(/-{2,}/g, '-');
  const name = trimmed(cut(trimmed(plain)));
  if (name === '') return NAMELESS;
  return DEVICE.test(name) ? `_${name}` : name;
}

/** Without what a name must not begin or end with: hidden files, Windows' full stops. */
const trimmed = (text: string): string => text.replace(/^[-._\s]+|[-.\s]+$/gu, '');

function cut(text: string): string {
  let bytes = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > MOST_BYTES) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/**
 * Names of one folder, each given once whatever the case of its letters. What is called like another has the
 * end of its id behind it, so that its name depends on nothing that may go away but the other.
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
