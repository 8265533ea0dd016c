import { ObjectId, Long } from 'bson';

/** What old clients wrote in place of a name that there was not. */
const NO_NAMES = new Set(['undefined', 'null']);

/** A text, whatever it was stored as; '' for what is none. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || value instanceof Long ? String(value) : '';
}

/** A user's name; '' where there is none. */
export function nameIn(value: unknown): string {
  const name = textIn(value).trim();
  return NO_NAMES.has(name) ? '' : name;
}

/** An id as 24 hex digits, whether it was stored as one or as a text; '' for neither. */
export function idIn(value: unknown): string {
  if (value instanceof ObjectId) return value.toHexString();
  const text = textIn(value).toLowerCase();
  return /^[0-9a-f]{24}$/.test(text) ? text : '';
}

/** Milliseconds since the epoch, of a date, a number or a text; undefined for none. */
export function timeIn(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : timeOf(value);
  return Number.isFinite(time) && time > 0 ? time : undefined;
}

function timeOf(value: unknown): number {
  if (value instanceof Long) return value.toNumber();
  if (typeof value === 'number') return value;
  const text = textIn(value).trim();
  return /^\d{12,14}$/.test(text) ? Number(text) : Date.parse(text);
}

/** A switch, as forms sent it, too. */
export const switchIn = (value: unknown): boolean => value === true || value === 'true' || value === 1;

/** Texts of a list, or of one of them alone. */
export function textsIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map(textIn).filter((text) => text.trim() !== '');
}
