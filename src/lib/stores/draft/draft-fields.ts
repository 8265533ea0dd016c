import { hash } from '../../client/human-check/hash.ts';
import { extrasOf, pickFields } from '../../contract/rules/authored-fields.ts';
import type { DraftFields } from '../../client/journal/journal-entry.ts';

export { isSame, isUntouched, NOTHING } from '../../contract/rules/authored-fields.ts';

export const isBlank = ({ title, content }: DraftFields) => title.trim() === '' && content.trim() === '';

/** Whether `other` has the same title and every line of `one`: then discarding `one` loses nothing. */
export function isWithin(one: DraftFields, other: DraftFields): boolean {
  const lines = new Set(other.content.split('\n').map((line) => line.trim()));
  const isContained = (line: string) => line.trim() === '' || lines.has(line.trim());
  return one.title.trim() === other.title.trim() && one.content.split('\n').every(isContained);
}

const plain = (text: string) => text.toWellFormed().trim();

/** Returns the fields as the server stores them (CONTRACT.md): trimmed, tags normalized and unique. */
export const asStored = (fields: DraftFields): DraftFields =>
  pickFields(fields, {
    text: plain,
    names(names) {
      const known = names.map((name) => plain(name).normalize('NFC')).filter((name) => name !== '');
      return [...new Set(known)];
    },
  });

/** Cache: a long text takes some milliseconds, and a save needs its digest several times. */
const digests = new WeakMap<DraftFields, string>();

/**
 * Digest of the stored form: equal digests mean equal fields. Browsers store it, so no release may change it.
 */
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
