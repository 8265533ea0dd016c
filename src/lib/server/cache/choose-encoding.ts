import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { ENCODINGS, type Encoding } from './cached-page.ts';

/** The signature of negotiator 1.0, which its type declarations lack. */
type Chooser = {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
};

const choices = new LRUCache<string, Encoding>({ max: 200 });
const MAX_CACHED_CHARACTERS = 200;

/**
 * Returns the best encoding that a client accepts; among equal preferences, the smallest.
 * @param list its Accept-Encoding (RFC 9110 §12.5.3), if it sent one
 */
export function chooseEncoding(list: string | undefined): Encoding {
  // Every client understands `identity`.
  if (list === undefined) return 'identity';
  let encoding = choices.get(list);
  if (!encoding) {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': list } });
    const wanted = (negotiator as Chooser).encoding(ENCODINGS, { preferred: ENCODINGS });
    encoding = ENCODINGS.find((name) => name === wanted) ?? 'identity';
    if (list.length <= MAX_CACHED_CHARACTERS) choices.set(list, encoding);
  }
  return encoding;
}
