import { ObjectId, Long } from 'bson';

/** Values that old clients wrote in place of a missing name. */
const NO_NAMES = new Set(['undefined', 'null']);

/** Returns a string or number as text; '' for other values. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || value instanceof Long ? String(value) : '';
}

export function nameIn(value: unknown): string {
  const name = textIn(value).trim();
  return NO_NAMES.has(name) ? '' : name;
}

/** Returns an id as 24 hex digits, whether stored as ObjectId or text; '' for other values. */
export function idIn(value: unknown): string {
  if (value instanceof ObjectId) return value.toHexString();
  const text = textIn(value).toLowerCase();
  return /^[0-9a-f]{24}$/.test(text) ? text : '';
}

/** Returns milliseconds since the epoch of a date, number or text; undefined for other values. */
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

export const switchIn = (value: unknown): boolean => value === true || value === 'true' || value === 1;

export function textsIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map(textIn).filter((text) => text.trim() !== '');
}
