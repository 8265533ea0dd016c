import { BOUNDS, countCharacters } from '../../contract/rules/bounds.ts';
import { foldName } from '../../contract/rules/names.ts';
import { usernameField } from '../../contract/fields.ts';
import type { Queryable } from '../db/database.ts';
import { isFormerName } from './former-queries.ts';
import { isReserved, type OwnNames } from './reserved-names.ts';
import { findClash, isDisplayed } from './user-queries.ts';

/**
 * Equal names up to this number are counted; beyond it the number is random, because a hundred guests may all
 * be called 匿名.
 */
const MAX_COUNTED_NUMBER = 9;
const RANDOM_NUMBERS = 1_000_000;
const NAMELESS = '用户';
const [MIN_NAME_CHARACTERS, MAX_NAME_CHARACTERS] = BOUNDS.username;

/**
 * Returns a name for an account of another site: its former one if the rules of CONTRACT.md allow it, else an
 * adapted one, with a number if the name is taken, reserved, or looks like another.
 */
export async function nameFor(
  db: Queryable,
  name: string,
  { own, imagined, now }: { own: OwnNames; imagined?: ReadonlySet<string> | undefined; now: number },
): Promise<string> {
  const fitting = fitName(name);
  // `admin-2` is as reserved as `admin`, `admin2` is not; no number frees a title in Chinese.
  const joint = ['-', ''].find((each) => !isReserved(numbered(fitting, each, 2), own));
  const fit = joint === undefined ? NAMELESS : fitting;
  for (let tries = 1; ; tries++) {
    const number = tries <= MAX_COUNTED_NUMBER ? tries : 10 + Math.floor(Math.random() * RANDOM_NUMBERS);
    const candidate = tries === 1 ? fit : numbered(fit, joint ?? '-', number);
    if ((fit !== NAMELESS && isReserved(candidate, own)) || imagined?.has(foldName(candidate))) continue;
    if (await isFormerName(db, candidate, now)) continue;
    if ((await findClash(db, candidate)) === null && !(await isDisplayed(db, candidate))) return candidate;
  }
}

function fitName(name: string): string {
  if (usernameField.safeParse(name).success) return usernameField.parse(name);
  // An account named by its e-mail address must not have it printed under each article.
  const [local = ''] = name.toWellFormed().normalize('NFC').trim().split('@');
  const words = local.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '_').replace(/^[_\p{M}]+|_+$/gu, '');
  const short = firstOf(words, MAX_NAME_CHARACTERS).replace(/_+$/, '');
  if (!/[\p{L}\p{N}]/u.test(short)) return NAMELESS;
  return countCharacters(short) < MIN_NAME_CHARACTERS ? `${short}_` : short;
}

const numbered = (name: string, joint: string, number: number): string => {
  const ending = `${joint}${number}`;
  return firstOf(name, MAX_NAME_CHARACTERS - ending.length) + ending;
};

const firstOf = (text: string, count: number): string => [...text].slice(0, count).join('');
