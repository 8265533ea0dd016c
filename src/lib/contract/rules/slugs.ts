import { foldName, type TextRule } from './names.ts';

/** Minimum and maximum characters of a slug. */
export const SLUG_BOUNDS = [1, 100] as const;

/** Letters, marks and digits of any script; `-`, `_` and single `.` only between them. */
const SLUG = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-_.]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u;

/** Returns the only spelling of a slug that is stored and linked: NFKC, lower case. */
export const foldSlug = (text: string): string => foldName(text.trim());

/** Accepts a slug that `foldSlug` returned, and the empty string. */
export const slugRule: TextRule = {
  fold: foldSlug,
  accepts: (text) => text === '' || (SLUG.test(text) && !text.includes('..') && text === foldSlug(text)),
  says: '地址只能用小写字母、数字、汉字，中间可以有 - _ .，不能以它们开头或结尾',
};
