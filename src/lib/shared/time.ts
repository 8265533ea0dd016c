// Swedish dates use the ISO 8601 format: 2026-11-21 09:05.
const LOCALE = 'sv-SE';

/** Cached, because creating a format takes a hundred times longer than using it. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * Formats an ISO 8601 time as YYYY-MM-DD HH:mm.
 * @param timeZone IANA name; by default the blog's, which browsers read from `html[data-zone]`
 */
export function formatMinute(iso: string, timeZone = document.documentElement.dataset['zone']): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALE, { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(new Date(iso));
}

/** Formats a time as 11月23日 09:15; with the year if it differs from that of `now`. */
export function formatMoment(iso: string, timeZone?: string, now = new Date()): string {
  const [year = '', month, day, time] = formatMinute(iso, timeZone).split(/[- ]/);
  const isThisYear = formatMinute(now.toISOString(), timeZone).startsWith(year);
  return `${isThisYear ? '' : `${year}年`}${Number(month)}月${Number(day)}日 ${time}`;
}

const MINUTE_LENGTH = 'YYYY-MM-DD HH:mm'.length;
// Not from units.ts: see there.
const DAY_MS = 86_400_000;

export const formatLocal = (iso: string, timeZone?: string) => formatMinute(iso, timeZone).replace(' ', 'T');

/**
 * Converts `local` (YYYY-MM-DDTHH:mm, the value of a `datetime-local` input) to UTC. When clocks are put
 * back, returns the earlier of the two times. Null if clocks are put forward over it, or if it is invalid.
 * @param timeZone as in `formatMinute`
 */
export function instantOf(local: string, timeZone?: string): string | null {
  const wanted = local.slice(0, MINUTE_LENGTH);
  const asUtc = Date.parse(`${wanted}Z`);
  if (Number.isNaN(asUtc)) return null;
  const shown = (instant: number) => formatLocal(new Date(instant).toISOString(), timeZone);
  const offsetAt = (instant: number) => Date.parse(`${shown(instant)}Z`) - instant;
  // A zone changes its clocks at most once within two days, so one of the offsets on both sides is right.
  const instants = [asUtc - DAY_MS, asUtc + DAY_MS].map((around) => asUtc - offsetAt(around));
  const found = instants.filter((instant) => shown(instant) === wanted);
  return found.length === 0 ? null : new Date(Math.min(...found)).toISOString();
}

/** Returns the day of a result of `formatMinute`. */
export const dayOf = (minute: string): string => minute.slice(0, 'YYYY-MM-DD'.length);

/** Formats a time as YYYY-MM-DD; `timeZone` as in `formatMinute`. */
export const formatDay = (iso: string, timeZone?: string): string => dayOf(formatMinute(iso, timeZone));
