import { HOUR_MS, MINUTE_MS } from '../contract/rules/units.ts';

/** Zone of dates without one (docs/pages.md). */
export const DEFAULT_ZONE = 'Asia/Shanghai';
/** Go writes an absent date as the year 1. */
const EARLIEST = Date.UTC(1000, 0, 1);
const LATEST = Date.UTC(10_000, 0, 1);
/** Smaller numbers are no epoch times: in seconds they would lie before 1973. */
const SMALLEST_EPOCH = 1e8;
const MAX_DATE_CHARACTERS = 100;

const CLOCK = String.raw`(上午|下午|凌晨|早上|中午|晚上|[AP]M)?\s*(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?\s*([AP]M)?`;
const ZONE = String.raw`\s*(Z|UTC|GMT|CST|(?:UTC|GMT)?[+-]\d{2}:?\d{2}|(?:UTC|GMT)?[+-]\d{1,2})?(?:\s+[A-Z]{3,5})?`;
const NUMERIC = new RegExp(
  String.raw`^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T_\s]+${CLOCK})?)?)?${ZONE}$`,
  'i',
);
const COMPACT = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(?:(\d\d)(?:[T_-]?(\d\d)(\d\d)(\d\d)?)?)?(?:Z|([+-]\d{4}))?$/;
const MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
const HAS_ZONE = /(?:Z|UTC|GMT|(?<=\s|:\d\d|GMT|UTC)[+-]\d{2}:?\d{2}|(?:UTC|GMT)[+-]\d{1,2})\s*$/i;

/**
 * Parses a front matter date: `2024-01-02`, `2024/1/2 10:20`, `2024-01-02T10:20:30+08:00`, `20240102`,
 * `2024年1月2日 下午3:04`, RFC 2822, `Jan 2, 2024 3:04 PM`, a link `[[2024-01-02]]`, a Date, or an epoch time.
 * Without a day it is the first. Returns milliseconds; null if it is invalid or outside of the years 1000 to
 * 9999.
 * @param zone IANA name of the zone of dates that name none
 */
export function readDate(value: unknown, zone = DEFAULT_ZONE): number | null {
  const instant = toInstant(value, zone);
  return instant !== null && instant >= EARLIEST && instant < LATEST ? instant : null;
}

function toInstant(value: unknown, zone: string): number | null {
  // A TOML date prints itself without a zone when it has none.
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? null : toInstant(value.toISOString(), zone);
  if (Array.isArray(value)) return toInstant(value[0], zone);
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const written = String(value);
  if (written.length > MAX_DATE_CHARACTERS) return null;
  const text = tidy(written);
  const parts = NUMERIC.exec(text);
  if (parts) return fromNumeric(parts, zone);
  return fromCompact(text, zone) ?? fromEpoch(text) ?? fromEnglish(text, zone);
}

/** Returns the start of a range, without weekdays, in plain digits and signs. */
function tidy(written: string): string {
  const [text = ''] = written.normalize('NFKC').split(/\s*(?:→|~|至)\s*/);
  return text
    .replace(/^[\s@]*(?:\[\[)?|(?:\]\])?(?:\[[\w/]+\])?\s*$/g, '')
    .replace(/[,(]?\s*(?:星期|周|礼拜)[一二三四五六日天]\s*\)?,?/, ' ')
    .replace(/\s*年\s*(?=\d)|\s*月\s*(?=\d)/g, '-')
    .replace(/[年月]/g, '')
    .replace(/[日号]/g, ' ')
    .replace(/\s*[时点]\s*(?=\d)|\s*分\s*(?=\d)/g, ':')
    .replace(/[时点]/g, ':00')
    .replace(/[分秒]/g, '')
    .trim();
}

function fromNumeric(parts: RegExpExecArray, zone: string): number | null {
  const [, year, month = '1', day = '1', half = '', hour = '0', minute, second, fraction, after = ''] = parts;
  const hours = inDay(Number(hour), half || after);
  return fromWall([year, month, day, hours, minute, second, fraction], parts[10], zone);
}

function inDay(hour: number, half: string): number {
  if (/上午|凌晨|早上|am/i.test(half)) return hour === 12 ? 0 : hour;
  const isLater = /下午|晚上|pm/i.test(half) ? hour < 12 : half === '中午' && hour < 11;
  return isLater ? hour + 12 : hour;
}

function fromCompact(text: string, zone: string): number | null {
  const parts = COMPACT.exec(text);
  if (!parts) return null;
  const [, year, month, day = '1', hour, minute, second, offset] = parts;
  return fromWall([year, month, day, hour, minute, second], text.endsWith('Z') ? 'Z' : offset, zone);
}

function fromEpoch(text: string): number | null {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value < SMALLEST_EPOCH) return null;
  return Math.trunc(value < 1e11 ? value * 1000 : value);
}

/** Parses dates with an English month, such as RFC 2822 and those of Java, Go and Notion. */
function fromEnglish(text: string, zone: string): number | null {
  if (!MONTH.test(text) || !/\d{4}/.test(text)) return null;
  const plain = text
    .replace(/\((?=(?:GMT|UTC)[+-])|(?<=[+-][\d:]+)\)/gi, '')
    .replace(/\s*\([^)]*\)\s*$/, '')
    .replace(/(?<=\d)(?:st|nd|rd|th)\b/gi, '')
    // Date.parse takes it for a zone of America.
    .replace(/\bCST\b/, 'GMT+0800');
  if (HAS_ZONE.test(plain) || plain.includes('GMT+0800')) return orNull(Date.parse(plain));
  const wall = orNull(Date.parse(`${plain} GMT`));
  return wall === null ? null : inZone(wall, zone);
}

const orNull = (instant: number): number | null => (Number.isNaN(instant) ? null : instant);

function fromWall(
  parts: readonly (string | number | undefined)[],
  offset: string | undefined,
  zone: string,
): number | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0));
  const milliseconds = Math.trunc(Number(`0.${parts[6] ?? 0}`) * 1000);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const date = new Date(wall);
  const isReal =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!isReal) return null;
  return offset === undefined ? inZone(wall, zone) : wall - offsetOf(offset);
}

function offsetOf(written: string): number {
  if (/^CST$/i.test(written)) return 8 * HOUR_MS;
  // Local mean times have seconds.
  const parts = /([+-])(\d{1,2}):?(\d{2})?(?::\d{2})?$/.exec(written);
  if (!parts) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  return (parts[1] === '-' ? -minutes : minutes) * MINUTE_MS;
}

/** Converts a time on the wall of a zone, given as if it were UTC, to an instant. */
function inZone(wall: number, zone: string): number {
  // At +08:00 since 1992; its summers before are not what a file without a zone means.
  if (zone === DEFAULT_ZONE) return wall - 8 * HOUR_MS;
  return wall - zoneOffset(wall - zoneOffset(wall, zone), zone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function zoneOffset(instant: number, zone: string): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offsetOf(name);
}

/** Whether a file has the name of a post of Jekyll, `2024-01-02-title`. */
export const isJekyllName = (name: string): boolean =>
  /^\d{4}-\d{1,2}-\d{1,2}-./.test(name) && splitDatedName(name) !== null;

const DATED_NAMES = [
  /^(\d{4})([-_.])(\d{1,2})\2(\d{1,2})(?!\d)[-_.\s]*(.*)$/,
  /^(\d{4})(年)(\d{1,2})月(\d{1,2})日[-_.\s]*(.*)$/,
  /^((?:19|20)\d\d)()(\d\d)(\d\d)(?!\d)[-_.\s]*(.*)$/,
];

/**
 * Splits a name like `2024-01-02-title` or `20240102 title` into its date and the rest, which may be empty;
 * null if it has no date.
 */
export function splitDatedName(name: string, zone = DEFAULT_ZONE) {
  const parts = DATED_NAMES.map((pattern) => pattern.exec(name)).find((found) => found !== null);
  const date = parts ? readDate(`${parts[1]}-${parts[3]}-${parts[4]}`, zone) : null;
  if (!parts || date === null) return null;
  const [, year = '', , month = '', day = '', rest = ''] = parts;
  return { date, year, month: month.padStart(2, '0'), day: day.padStart(2, '0'), rest };
}
