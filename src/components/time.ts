import { LRUCache } from 'lru-cache';
import { markup } from './markup.ts';

// Swedish writes dates as ISO 8601 does: 2026-11-21 09:05.
const LOCALE = 'sv-SE';
const MINUTES_KEPT = 2000;

interface Zone {
  format: Intl.DateTimeFormat;
  /** What was formatted lately: the same articles stand in many lists, and formatting costs 8 µs each time. */
  minutes: LRUCache<string, string>;
}
const zones = new Map<string, Zone>();

/** Day and minute of an ISO 8601 instant in `timeZone`, YYYY-MM-DD HH:mm. */
export function formatMinute(iso: string, timeZone: string): string {
  let zone = zones.get(timeZone);
  if (!zone) {
    // Making a format costs a hundred times what using it does; a site has one zone.
    const format = new Intl.DateTimeFormat(LOCALE, { timeZone, dateStyle: 'short', timeStyle: 'short' });
    zones.set(timeZone, (zone = { format, minutes: new LRUCache({ max: MINUTES_KEPT }) }));
  }
  let minute = zone.minutes.get(iso);
  if (minute === undefined) zone.minutes.set(iso, (minute = zone.format.format(new Date(iso))));
  return minute;
}

/** An instant as its day in `timeZone`, with the minute on hover: markup. What it says grows relative in the browser. */
export function timeTag(iso: string, timeZone: string): string {
  const minute = formatMinute(iso, timeZone);
  return markup`<time datetime="${iso}" title="${minute}" data-relative>${minute.slice(0, 'YYYY-MM-DD'.length)}</time>`;
}

/**
 * Day of an ISO 8601 instant in `timeZone` as YYYY-MM-DD. Always with the year: a cached page outlives the year it was made in, so
 * the shorter forms of DESIGN.md §4 (刚刚, MM月DD日) are for the browser, which knows the present.
 */
export const formatDay = (iso: string, timeZone: string) =>
  formatMinute(iso, timeZone).slice(0, 'YYYY-MM-DD'.length);
