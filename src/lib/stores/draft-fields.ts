import type { DraftFields } from '../client/journal.ts';

/** A text not begun. */
export const NOTHING: DraftFields = { title: '', content: '', tags: [], secret: false };

/** Whether there is nothing in it that a draft could be made of. */
export const isBlank = ({ title, content }: DraftFields) => title.trim() === '' && content.trim() === '';

/** Whether nothing at all was typed or chosen. */
export const isUntouched = (fields: DraftFields) =>
  fields.title === '' && fields.content === '' && fields.tags.length === 0 && !fields.secret;

/** The fields as the server keeps them (CONTRACT.md, "Rules for fields"): trimmed, tags in one form and once each. */
export function asStored({ title, content, tags, secret }: DraftFields): DraftFields {
  const plain = (text: string) => text.toWellFormed().trim();
  const names = tags.map((tag) => plain(tag).normalize('NFC')).filter((tag) => tag !== '');
  return { title: plain(title), content: plain(content), tags: [...new Set(names)], secret };
}

/** Whether both hold the same text, character for character. */
export function isSame(one: DraftFields, other: DraftFields): boolean {
  return (
    one.title === other.title &&
    one.content === other.content &&
    one.secret === other.secret &&
    one.tags.length === other.tags.length &&
    one.tags.every((tag, index) => tag === other.tags[index])
  );
}

/** A short name for the fields as the server keeps them: equal names, equal fields. */
export function digestOf(fields: DraftFields): string {
  const { title, content, tags, secret } = asStored(fields);
  const text = JSON.stringify([title, content, tags, secret]);
  return `${text.length.toString(36)}-${hash(text, 0)}-${hash(text, 1)}`;
}

/** cyrb53 (public domain, github.com/bryc): 53 bits, in one pass and at once, where crypto.subtle answers later and on https only. */
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
