import { hash } from '../client/hash.ts';
import { extrasOf, pickFields } from '../contract/authored-fields.ts';
import type { DraftFields } from '../client/journal-entry.ts';

export { isSame, isUntouched, NOTHING } from '../contract/authored-fields.ts';

/** Whether there is nothing in it that a draft could be made of. */
export const isBlank = ({ title, content }: DraftFields) => title.trim() === '' && content.trim() === '';

/** Whether every line of one text, title among them, is in the other: then nothing is lost with it. */
export function isWithin(one: DraftFields, other: DraftFields): boolean {
  const lines = new Set(other.content.split('\n').map((line) => line.trim()));
  const isThere = (line: string) => line.trim() === '' || lines.has(line.trim());
  return one.title.trim() === other.title.trim() && one.content.split('\n').every(isThere);
}

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

/** Of fields that are asked for more than once, as all of a save are: a long text takes some milliseconds. */
const digests = new WeakMap<DraftFields, string>();

/** A name for the fields as stored: equal names, equal fields. It is kept, so no release changes it. */
export function digestOf(fields: DraftFields): string {
  const digest = digests.get(fields) ?? newDigest(fields);
  digests.set(fields, digest);
  return digest;
}

function newDigest(fields: DraftFields): string {
  const stored = asStored(fields);
  const { title, content, tags, secret } = stored;
  const text = JSON.stringify([title, content, tags, secret, ...extrasOf(stored)]);
  return `${text.length.toString(36)}-${hash(text)}-${hash(text, 1)}`;
}
