import { randomInt } from 'node:crypto';

/** Letters without those that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

export const newCode = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Normalizes a typed code to its stored form: any case and width, with or without spaces and hyphens. */
export const plainCode = (typed: string): string =>
  typed.normalize('NFKC').toUpperCase().replaceAll(/[\s-]/g, '');
