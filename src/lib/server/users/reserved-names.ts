import { randomBytes } from 'node:crypto';
import { asClean, type CleanText } from '../shared/clean-text.ts';
import { skeletonsOf } from './skeletons.ts';

/** Names of the site that its operator sets. */
export interface OwnNames {
  title: string;
  reserved: readonly string[];
}

/** Titles of those who run a site, refused anywhere in a name; Latin ones as words. */
const TITLES = [
  '站长',
  '站务',
  '管理员',
  '版主',
  '官方',
  '客服',
  'admin',
  'administrator',
  'moderator',
  'webmaster',
  'official',
  'staff',
  'support',
];

/** Refused as whole names, and in names that consist of reserved words only. */
const WORDS = ['系统', '通知', '管理', '编辑部', '墨页', 'moye', 'root', 'system', 'postmaster'];

const CLOSED_PREFIX = '已注销';

/** Whether a name is, or looks like, one of the site, of its staff or of a closed account. */
export function isReserved(name: string, { title, reserved }: OwnNames): boolean {
  const titles = [...TITLE_KEYS, ...keysOf([title]).filter((key) => key.length > 1)];
  const words = [...TITLE_KEYS, ...WORD_KEYS, ...keysOf([title, ...reserved])];
  // A number after 系统通知 makes it no other name.
  const bare = /\p{Script=Han}/u.test(name)
    ? name.normalize('NFKC').replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    : name;
  return (
    keysOf([name]).some((key) => key.startsWith(CLOSED_PREFIX)) ||
    partsOf(name).some((parts) => titles.some((key) => isRunOf(parts, key))) ||
    keysOf([bare]).some((key) => consistsOf(key, words))
  );
}

export const closedName = (): CleanText =>
  asClean(`${CLOSED_PREFIX}-${randomBytes(4).toString('hex')}`, 'site');

/** Returns the skeletons of a name in parts, without marks and signs: words, and characters of Chinese. */
const partsOf = (name: string): string[][] =>
  Object.values(skeletonsOf(name)).map(
    (skeleton: string) =>
      skeleton
        .replace(/[\p{M}\p{Lm}]/gu, '')
        .match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv) ??
      [],
  );

const keysOf = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap(partsOf).map((parts) => parts.join(''))),
];

const TITLE_KEYS = keysOf(TITLES);
const WORD_KEYS = keysOf(WORDS);

/** Whether consecutive parts make up `key`. */
const isRunOf = (parts: readonly string[], key: string): boolean =>
  parts.some((_, from) => {
    let run = '';
    for (let at = from; at < parts.length && run.length < key.length; at++) run += parts[at];
    return run === key;
  });

function consistsOf(key: string, words: readonly string[]): boolean {
  const reached = new Set([0]);
  for (const at of reached)
    for (const word of words) if (word !== '' && key.startsWith(word, at)) reached.add(at + word.length);
  return key !== '' && reached.has(key.length);
}
