import { BOUNDS, countCharacters } from '../../contract/bounds.ts';
import { foldName } from '../../contract/names.ts';
import { usernameField } from '../../contract/fields.ts';
import type { Queryable } from '../db/database.ts';
import { isFormerName } from './former-queries.ts';
import { isReserved, looksClosed } from './reserved-names.ts';
import { findClash } from './user-queries.ts';

/** Beyond as many equal names the next number is drawn: a hundred guests may all be called 匿名. */
const COUNTED = 9;
const DRAWN = 1_000_000;
const NAMELESS = '用户';
const [SHORTEST, LONGEST] = BOUNDS.username;

/** Which names cannot be given. */
export interface TakenNames {
  /** Kept for the site, beside those that are kept anyway. */
  reserved: readonly string[];
  /** Folded names that are given in a dry run, which stores none. */
  imagined?: ReadonlySet<string>;
}

/**
 * A name that another site's account can have here: the one it had where the rules for fields (CONTRACT.md)
 * let it, made fit where they do not, with a number where it is taken, looks like another, or is reserved.
 */
export async function nameFor(db: Queryable, name: string, taken: TakenNames, now: number): Promise<string> {
  const fitting = fitName(name);
  // A number at its end does not make the name of a closed account another one.
  const fit = looksClosed(fitting) ? NAMELESS : fitting;
  for (let tries = 1; ; tries++) {
    const number = tries <= COUNTED ? tries : 10 + Math.floor(Math.random() * DRAWN);
    const candidate = tries === 1 ? fit : numbered(fit, number);
    if (isReserved(candidate, taken.reserved) || taken.imagined?.has(foldName(candidate))) continue;
    if (await isFormerName(db, candidate, now)) continue;
    if ((await findClash(db, candidate)) === null) return candidate;
  }
}

/** A name within the rules for fields, as near to `name` as can be. */
export function fitName(name: string): string {
  if (usernameField.safeParse(name).success) return usernameField.parse(name);
  // Who signs in by an address of mail is not to have it printed under each article.
  const [local = ''] = name.toWellFormed().normalize('NFC').trim().split('@');
  const words = local.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '_').replace(/^[_\p{M}]+|_+$/gu, '');
  const short = firstOf(words, LONGEST).replace(/_+$/, '');
  if (!/[\p{L}\p{N}]/u.test(short)) return NAMELESS;
  return countCharacters(short) < SHORTEST ? `${short}_` : short;
}

const numbered = (name: string, number: number): string => {
  const ending = `-${number}`;
  return firstOf(name, LONGEST - ending.length) + ending;
};

const firstOf = (text: string, count: number): string => [...text].slice(0, count).join('');
