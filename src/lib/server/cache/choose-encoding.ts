import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { ENCODINGS, type Encoding } from './kept-page.ts';

/** The form of negotiator 1.0, which its types do not know. */
type Chooser = {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
};

// Browsers send the same few lists again and again.
const choices = new LRUCache<string, Encoding>({ max: 200 });
const LONGEST_LIST = 200;

/**
 * The best encoding a client takes; of several it likes equally well, the smallest.
 * @param list its Accept-Encoding (RFC 9110 §12.5.3), if it sent one
 */
export function chooseEncoding(list: string | undefined): Encoding {
  // A client that says nothing is sent what every client understands.
  if (list === undefined) return 'identity';
  let encoding = choices.get(list);
  if (!encoding) {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': list } });
    const wanted = (negotiator as Chooser).encoding(ENCODINGS, { preferred: ENCODINGS });
    encoding = ENCODINGS.find((name) => name === wanted) ?? 'identity';
    if (list.length <= LONGEST_LIST) choices.set(list, encoding);
  }
  return encoding;
}
