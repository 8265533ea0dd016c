import { extrasOf, pickFields } from '../contract/authored-fields.ts';
import type { DraftFields } from '../client/journal.ts';

export { isSame, isUntouched, NOTHING } from '../contract/authored-fields.ts';

/** Whether there is nothing in it that a draft could be made of. */
export const isBlank = ({ title, content }: DraftFields) => title.trim() === '' && content.trim() === '';

const plain = (text: string) => text.toWellFormed().trim();

/** The fields as the server keeps them (CONTRACT.md): trimmed, tags in one form and once each. */
export const asStored = (fields: DraftFields): DraftFields =>
  pickFields(fields, {
    text: plain,
    names(names) {
      const known = names.map((name) => plain(name).normalize('NFC')).filter((name) => name !== '');
      return [...new Set(known)];
    },
  });

/**
 * A name for the fields as the server keeps them: equal names, equal fields. It is stored, so without extra
 * fields it is the same in every release.
 */
export function digestOf(fields: DraftFields): string {
  const stored = asStored(fields);
  const { title, content, tags, secret } = stored;
  const text = JSON.stringify([title, content, tags, secret, ...extrasOf(stored)]);
  return `${text.length.toString(36)}-${hash(text, 0)}-${hash(text, 1)}`;
}

/** cyrb53 (public domain, github.com/bryc): 53 bits, at once; crypto.subtle answers later, on https only. */
function hash(text: string, seed: number): string {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
