import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Secret scanners and the server recognise access tokens by it. */
export const ACCESS_TOKEN_PREFIX = 'moye_pat_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 178 bits. */
const RANDOM_CHARACTERS = 30;
/** 32 bits in base 62. */
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(
  String.raw`${ACCESS_TOKEN_PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})`,
);
const WHOLE = new RegExp(`^${SHAPE.source}$`);

/** Returns a new access token: the prefix, 30 random characters, and their CRC-32 in base 62. */
export function newAccessToken(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `${ACCESS_TOKEN_PREFIX}${random}${checksumOf(random)}`;
}

/** Whether `text` is an access token with a correct checksum, without looking it up. */
export function isAccessToken(text: string): boolean {
  const [, random = '', checksum] = WHOLE.exec(text) ?? [];
  return checksum === checksumOf(random);
}

/** Whether a URL contains what looks like an access token, also behind percent escapes. */
export const holdsAccessToken = (url: string): boolean => SHAPE.test(unescaped(url));

/** Decodes percent escapes of ASCII characters; keeps invalid ones. */
export const unescaped = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));

function checksumOf(random: string): string {
  let digits = '';
  for (let rest = crc32(random); digits.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / DIGITS.length))
    digits = (DIGITS[rest % DIGITS.length] ?? '') + digits;
  return digits;
}
