import { FIELD_NAMES, specOf, type Authored, type FieldValue } from '../contract/rules/authored-fields.ts';
import { BOUNDS, countCharacters } from '../contract/rules/bounds.ts';
import { hasHiddenCharacter } from '../contract/rules/names.ts';
import { takeGraphemes } from '../shared/graphemes.ts';

/**
 * Fits fields to their limits: cleans and truncates short texts and tags, removes duplicate tags, and keeps
 * the first ten. The text of the article is unchanged. Returns the fields and Chinese warnings about what was
 * cut.
 */
export function fitFields<F extends Partial<Authored>>(fields: F): { fields: F; warnings: string[] } {
  const warnings: string[] = [];
  const fitted = FIELD_NAMES.flatMap((name): [string, FieldValue][] => {
    const value = fields[name];
    if (value === undefined) return [];
    if (Array.isArray(value)) return [[name, fitTags(value, warnings)]];
    const { label, bounds } = specOf(name);
    if (typeof value === 'boolean' || name === 'content' || !bounds) return [[name, value]];
    const line = clean(value);
    const short = cut(line, bounds[1]);
    if (short !== line) warnings.push(`${label}超过 ${bounds[1]} 个字符，已截短`);
    return [[name, short]];
  });
  return { fields: { ...fields, ...Object.fromEntries(fitted) }, warnings };
}

function fitTags(tags: readonly string[], warnings: string[]): string[] {
  const names = tags
    .map((tag) =>
      clean(tag)
        .replace(/^#+\s*/, '')
        .normalize('NFC'),
    )
    .filter((tag) => tag !== '');
  const shortened = names.map((tag) => cut(tag, BOUNDS.tag[1]));
  if (shortened.some((tag, index) => tag !== names[index]))
    warnings.push(`标签超过 ${BOUNDS.tag[1]} 个字符，已截短`);
  const unique = [...new Set(shortened)];
  if (unique.length > BOUNDS.tags[1])
    warnings.push(`标签超过 ${BOUNDS.tags[1]} 个，没有保留：${unique.slice(BOUNDS.tags[1]).join('、')}`);
  return unique.slice(0, BOUNDS.tags[1]);
}

/** Removes control and invisible characters except the zero-width joiner; collapses white space. */
function clean(text: string): string {
  const line = text.toWellFormed().replace(/\s+/gu, ' ').trim();
  if (!hasHiddenCharacter(line)) return line;
  return line
    .replace(/\p{C}|\p{Zl}|\p{Zp}|[\u115f\u1160\u3164\uffa0]/gu, (hidden) =>
      hidden === '\u200d' ? hidden : '',
    )
    .trim();
}

function cut(text: string, limit: number): string {
  if (countCharacters(text) <= limit) return text;
  let count = limit - 1;
  let start = takeGraphemes(text, count);
  // A grapheme can consist of several of the characters that the limit counts.
  while (countCharacters(start) > limit - 1) start = takeGraphemes(text, --count);
  return `${start.trimEnd()}…`;
}
