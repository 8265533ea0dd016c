/** Dates without a zone are in Asia/Shanghai (docs/pages.md), which has been at +08:00 since 1992. */
const ZONE_MS = 8 * 3_600_000;
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(10_000, 0, 1);

const NUMERIC =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:(?:[T_\s]+)(\d{1,2})[:时](\d{1,2})(?:[:分](\d{1,2})(?:[.,](\d{1,9}))?秒?|分)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{1,2})?$/i;
const HAS_ZONE = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}|\([^)]*\))\s*$/i;

/**
 * Parses a front matter date: `2024-01-02`, `2024/1/2 10:20`, `2024-01-02T10:20:30+08:00`, `2024年1月2日`,
 * RFC 2822, `Jan 2, 2024`, a Date, or an epoch time. Returns milliseconds; null if it is invalid or outside
 * 1970 to 9999.
 */
export function readDate(value: unknown): number | null {
  const instant = toInstant(value);
  return instant !== null && instant >= EARLIEST && instant < LATEST ? instant : null;
}

function toInstant(value: unknown): number | null {
  // A TOML date prints itself without a zone when it has none.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : toInstant(value.toISOString());
  if (typeof value === 'number')
    return Number.isFinite(value) ? Math.trunc(value < 1e11 ? value * 1000 : value) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const parts = NUMERIC.exec(text);
  if (parts) return fromParts(parts);
  if (!/[a-z]/i.test(text) || !/\d{4}/.test(text)) return null;
  const parsed = Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT+0800`);
  return Number.isNaN(parsed) ? null : parsed;
}

function fromParts(parts: RegExpExecArray): number | null {
  const number = (index: number): number => Number(parts[index] ?? 0);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = [1, 2, 3, 4, 5, 6].map(number);
  const milliseconds = Math.trunc(Number(`0.${parts[7] ?? 0}`) * 1000);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const date = new Date(wall);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? wall - offsetOf(parts[8]) : null;
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined) return ZONE_MS;
  const parts = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (!parts) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  return (parts[1] === '-' ? -minutes : minutes) * 60_000;
}

/** Splits a name like `2024-01-02-title` into its date and the rest; null if it has no date. */
export function splitDatedName(name: string) {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/.exec(name);
  const date = parts && readDate(`${parts[1]}-${parts[2]}-${parts[3]}`);
  if (!parts || date === null) return null;
  const [, year = '', month = '', day = '', rest = ''] = parts;
  return { date, year, month: month.padStart(2, '0'), day: day.padStart(2, '0'), rest };
}
