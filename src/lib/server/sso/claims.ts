const MAX_CLAIM_CHARACTERS = 255;

/** Reads one line of text of a provider; '' for any other value, or one too long to be a name or an id. */
export function shortText(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > MAX_CLAIM_CHARACTERS) return '';
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) ? '' : text.trim();
}

/** Reads a property of a parsed answer, whatever it is. */
export const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

/** Reads a yes or no of a provider, which some send as a number or a text; null without a value. */
export function flagOf(value: unknown): boolean | null {
  if (value === undefined || value === null || value === '') return null;
  return /^(?:true|1)$/i.test(shortText(value === true ? 'true' : value));
}
