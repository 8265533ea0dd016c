import { parseFeed } from '@rowanmanning/feed-parser';
import { countCharacters } from '../../contract/rules/bounds.ts';

export interface FeedDocument {
  bytes: Uint8Array;
  /** The header Content-Type; '' without one. */
  type: string;
  /** Address of the feed. */
  url: string;
}

/** `time` is in milliseconds, null if the feed gives none. */
export interface ReadEntry {
  title: string;
  url: string;
  time: number | null;
}

const MAX_ITEMS_READ = 300;
const MAX_ENTRIES = 30;
const MAX_TITLE_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 1_000;
/** Controls and marks that change the direction of the text around them. */
const UNWANTED = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Returns the newest entries of an RSS or Atom feed that have a title and a web address.
 * @throws for anything else, and for a document that declares entities
 */
export function readFeed({ bytes, type, url }: FeedDocument): ReadEntry[] {
  const xml = decode(bytes, type);
  if (/<!ENTITY/i.test(xml)) throw new Error('the feed declares entities');
  return parseFeed(xml)
    .items.slice(0, MAX_ITEMS_READ)
    .flatMap((item): ReadEntry[] => {
      // The parser leaves numeric references in attributes.
      const address = URL.parse((item.url ?? item.id ?? '').replaceAll(/&#(?:x26|38);/gi, '&'), url);
      const title = cut((item.title ?? '').toWellFormed().replace(UNWANTED, ' ').trim());
      if (!address || !/^https?:$/.test(address.protocol) || address.username !== '' || title === '')
        return [];
      if (address.href.length > MAX_URL_CHARACTERS) return [];
      return [{ title, url: address.href, time: (item.published ?? item.updated)?.getTime() ?? null }];
    })
    .toSorted((one, other) => (other.time ?? Infinity) - (one.time ?? Infinity) || 0)
    .slice(0, MAX_ENTRIES);
}

/** Uses the encoding of the header or the declaration. Many feeds of GBK sites declare UTF-8 or nothing. */
function decode(bytes: Uint8Array, type: string): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const named =
    /charset\s*=\s*["']?([\w-]+)/i.exec(type)?.[1] ??
    /<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1];
  for (const label of [named ?? 'utf-8', 'utf-8', 'gb18030'])
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // An unknown encoding, or not this one.
    }
  return new TextDecoder().decode(bytes);
}

const cut = (text: string): string =>
  countCharacters(text) <= MAX_TITLE_CHARACTERS
    ? text
    : `${Array.from(text.slice(0, 2 * MAX_TITLE_CHARACTERS))
        .slice(0, MAX_TITLE_CHARACTERS - 1)
        .join('')}…`;
