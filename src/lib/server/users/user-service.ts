import { randomBytes } from 'node:crypto';
import type { User, UserInfo } from '../../contract/entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { isStaff, type Role } from '../../contract/rules/permissions.ts';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { readTotal } from '../db/stored-counters.ts';
import type { Viewer } from '../auth/signins.ts';
import { asClean, type CleanText } from '../shared/clean-text.ts';
import { newId, toInstant } from '../shared/ids.ts';
import * as formerNames from './former-queries.ts';
import { isFormerName } from './former-queries.ts';
import { closedName, isReserved, type OwnNames } from './reserved-names.ts';
import * as queries from './user-queries.ts';
import { findClash, isDisplayed } from './user-queries.ts';
import type { AppParts } from '../services.ts';
import { BOUNDS, countCharacters } from '../../contract/rules/bounds.ts';
import { foldName } from '../../contract/rules/names.ts';
import { usernameField } from '../../contract/fields.ts';

interface NewUser {
  username: CleanText;
  passwordHash: string;
  gender: User['gender'];
  bio: CleanText;
}

interface ForeignUser extends Omit<NewUser, 'username' | 'bio'> {
  /** 24 hex digits that no user has here. */
  id: string;
  username: string;
  bio: string;
  created: number;
}

/** Public texts that staff may empty. */
type ClearableText = 'display_name' | 'bio' | 'website' | 'profile_links' | 'thanks';

type Change = Partial<Record<'bio', CleanText> & Pick<User, 'gender' | 'thanks'>>;

type ArticleNumbers = Pick<UserInfo, 'page_num' | 'draft_num'>;

export type UserService = ReturnType<typeof createUserService>;

/**
 * Users and their profiles; `countComments` returns the number of comments that a user wrote, `mayThank`
 * whether the operator allows pictures for thanks.
 */
export function createUserService(
  options: Pick<AppParts, 'db' | 'events' | 'now' | 'texts'> & {
    countComments: (userId: string) => Promise<number>;
    ownNames: () => Promise<OwnNames>;
    mayThank: () => Promise<boolean>;
  },
) {
  const { db, events, countComments, ownNames, mayThank, now } = options;
  const { requireClean } = options.texts;
  const isOwnName = async (name: string): Promise<boolean> => isReserved(name, await ownNames());
  const find = async (username: string): Promise<queries.UserRow | null> =>
    queries.findUserByName(db.read, username.trim());
  /** Finds a user by the present or a former username. */
  const findKnown = async (username: string): Promise<queries.UserRow | null> => {
    const row = await find(username);
    const id = row ? null : await formerNames.findKept(db.read, username.trim());
    return id === null ? row : queries.findUserById(db.read, id);
  };
  const describe = async (row: queries.UserRow): Promise<User> => {
    const user = toUser(row);
    return (await mayThank()) ? { ...user, thanks: row.thanks } : user;
  };
  const findShown = async (username: string): Promise<User | null> => {
    const row = await findKnown(username);
    return row && row.ban_hides === 0 ? describe(row) : null;
  };
  const changed = (trx: Trx, username: string, what: 'bio' | 'avatar'): void =>
    events.emit(trx, { type: 'user-changed', username, what });
  const change = (viewer: formerNames.Named, fields: Change) =>
    db.write(async (trx) => {
      const user = (await queries.findUserById(trx, viewer.id)) ?? refuse('SIGNIN_REQUIRED');
      if (fields.thanks) await requireOwnPicture(trx, viewer, fields.thanks);
      await queries.updateUser(trx, viewer.id, fields);
      // The event for a new bio, because both are on the profile, and nodes of older versions know no other.
      changed(trx, user.username, 'bio');
    });

  return {
    async find(username: string): Promise<User | null> {
      const row = await find(username);
      return row && describe(row);
    },
    /** Finds a user as visitors see them, also by a former name; null also if a ban hides the account. */
    findShown,
    /** As `findShown`, but refuses with USER_NOT_FOUND. */
    detail: async (username: string): Promise<User> =>
      (await findShown(username)) ?? refuse('USER_NOT_FOUND'),
    /**
     * Returns a user with counts. For other users only public articles count; drafts and comments are 0. ''
     * means the viewer. Refuses with USER_NOT_FOUND, also for an account that a ban hides.
     */
    async info(username: string, viewer: formerNames.Named | null): Promise<UserInfo> {
      const row =
        username.trim() === '' && viewer
          ? await queries.findUserById(db.read, viewer.id)
          : await findKnown(username);
      if (!row) refuse('USER_NOT_FOUND');
      const isOwn = row.id === viewer?.id;
      if (row.ban_hides === 1 && !isOwn) refuse('USER_NOT_FOUND');
      const user = await describe(row);
      if (!isOwn) return { ...user, page_num: row.page_num, draft_num: 0, comment_num: 0 };
      const role = isStaff(row.role) ? { role: row.role } : {};
      return { ...user, ...ownNumbers(row), comment_num: await countComments(row.id), ...role };
    },
    /** Replaces the viewer's bio. Refuses with WORD_REFUSED, and as `updateGender`. */
    updateBio: async (
      viewer: Pick<Viewer, 'id' | 'username' | 'role' | 'isUnlimited'>,
      bio: string,
    ): Promise<void> => change(viewer, await requireClean('user', { bio }, viewer)),
    /** Replaces the viewer's gender. Refuses with SIGNIN_REQUIRED if the account no longer exists. */
    updateGender: (viewer: formerNames.Named, gender: User['gender']): Promise<void> =>
      change(viewer, { gender }),
    /**
     * Replaces the picture for thanks; '' removes it. Refuses with NOT_ALLOWED if the operator allows none,
     * with FIELD_INVALID a picture that the viewer has not uploaded, and as `updateGender`.
     */
    async changeThanks(viewer: formerNames.Named, thanks: string): Promise<void> {
      if (!(await mayThank())) refuse('NOT_ALLOWED', { text: '这个网站没有开放赞赏码' });
      await change(viewer, { thanks });
    },
    async statistics() {
      const userNum = await readTotal(db.read, 'users');
      return { userNum, pageNum: await readTotal(db.read, 'public_articles') };
    },
    async listUsers(): Promise<(User & ArticleNumbers & { role: Role })[]> {
      const rows = await queries.selectUsers(db.read);
      return rows.map((row) => ({ ...toUser(row), ...ownNumbers(row), role: row.role }));
    },

    /** Refuses with USERNAME_TAKEN if the name is taken, or confusable with another (skeletons.ts). */
    requireFree: (username: string) => requireFree(db.read, username),
    /**
     * Refuses with USERNAME_RESERVED for names of the site and its staff, and former ones of other
     * accounts.
     */
    async requireAllowed(username: string, { on = db.read, id = '' } = {}) {
      if ((await isOwnName(username)) || (await formerNames.isFormerName(on, username, now(), id)))
        refuse('USERNAME_RESERVED', { field: 'username' });
    },
    /**
     * Refuses a display name inside `trx` with USERNAME_RESERVED if it looks like staff, and with
     * USERNAME_TAKEN if it looks like a present or former username of another account.
     */
    async requireHonest(trx: Trx, name: string, { id }: { id: string }) {
      const field = 'display_name';
      if (await isOwnName(name))
        refuse('USERNAME_RESERVED', { text: '这个显示名由本站保留，请换一个', field });
      // Signs and spaces would not stop a reader from seeing the other name.
      const letters = queries.lettersOf(name);
      const clash = await queries.findClash(trx, letters, id);
      if (clash !== null || (await formerNames.isFormerName(trx, letters, now(), id)))
        refuse('USERNAME_TAKEN', { text: '这个显示名和别人的用户名相同或太像，请换一个', field });
    },
    /** Adds a user inside `trx` and returns its id. Refuses as `requireFree`. */
    async add(trx: Trx, { passwordHash, ...user }: NewUser): Promise<string> {
      const id = newId();
      // Writes run one at a time: no other write takes this name, or a similar one, before this one is
      // stored.
      await requireFree(trx, user.username);
      try {
        await queries.insertUser(trx, { ...user, id, password_hash: passwordHash, create_time: now() });
      } catch (error) {
        if (db.violation(error)?.constraint === 'users_username_key')
          refuse('USERNAME_TAKEN', { field: 'username' });
        throw error;
      }
      return id;
    },
    /**
     * Adds an account of another site inside `trx`, under a name that is valid here; returns the name. An
     * empty `passwordHash` matches no password.
     */
    async import(trx: Trx, { passwordHash, created, bio, ...user }: ForeignUser): Promise<string> {
      const name = await nameFor(trx, user.username, { own: await ownNames(), now: now() });
      const texts = { username: asClean(name, 'operator'), bio: asClean(bio, 'operator') };
      const row = { ...user, ...texts, password_hash: passwordHash, create_time: created };
      await queries.insertUser(trx, row);
      return name;
    },
    /** Returns the name that `import` would give; `imagined` are folded names that are taken as well. */
    foreseeName: async (name: string, { imagined }: { imagined?: ReadonlySet<string> } = {}) =>
      nameFor(db.read, name, { own: await ownNames(), imagined, now: now() }),
    /**
     * Returns id and password hash of the account with that name, or with a name that staff replaced; or
     * null.
     */
    async credentials(name: string) {
      const username = name.trim();
      const renamed = async () => {
        const id = await formerNames.findRenamed(db.read, username, now());
        return id === null ? null : queries.findCredentials(db.read, { id });
      };
      const row = (await queries.findCredentials(db.read, { username })) ?? (await renamed());
      return row && { id: row.id, passwordHash: row.password_hash };
    },
    hasPasswordHash: queries.hasPasswordHash,
    /** Whether the account has a password; those that signed up by an identity provider have none. */
    hasPassword: async (id: string, on: Queryable = db.read): Promise<boolean> =>
      ((await queries.findCredentials(on, { id }))?.password_hash ?? '') !== '',
    /**
     * Replaces the name of an account inside `trx` and returns the new one. The former name is reserved, and
     * its owner can sign in with it until the reservation ends.
     */
    async replaceName(trx: Trx, user: formerNames.Named): Promise<string> {
      const username = asClean(`用户-${randomBytes(4).toString('hex')}`, 'site');
      await formerNames.reserveRenamed(trx, user, now());
      // The owner may choose another one at once.
      await queries.renameUser(trx, user.id, username, 0);
      // Any page may show the name.
      events.emit(trx, { type: 'anything' });
      return username;
    },
    /** Empties a public text of an account inside `trx`; returns the former one. */
    async clearText(trx: Trx, { id, username }: formerNames.Named, field: ClearableText): Promise<string> {
      const row = (await queries.findUserById(trx, id)) ?? refuse('USER_NOT_FOUND');
      const empty = asClean(field === 'profile_links' ? '[]' : '', 'site');
      await queries.updateUser(trx, id, { [field === 'profile_links' ? 'links' : field]: empty });
      if (field === 'display_name') events.emit(trx, { type: 'anything' });
      else changed(trx, username, 'bio');
      return field === 'profile_links' ? linksOf(row).join('\n') : row[field];
    },
    reserveClosedName: (trx: Trx, user: formerNames.Named) => formerNames.reserveClosedName(trx, user, now()),
    closedName,
    purgeReservations: (): Promise<void> =>
      db.write((trx) => formerNames.deleteEndedReservations(trx, now())),
    /** Returns the columns of a user who is left with this name only. */
    onlyNamed: (username: string) => ({
      ...queries.skeletonColumns(username),
      ...queries.displayColumns(asClean('', 'site')),
    }),
    async setPasswordHash(trx: Trx, id: string, hash: string): Promise<void> {
      await queries.updateUser(trx, id, { password_hash: hash });
    },
    /** Sets a user's avatar; returns the former file name, '' for none. Refuses with SIGNIN_REQUIRED. */
    async setAvatar(trx: Trx, id: string, fileName: string): Promise<string> {
      const user = await queries.findUserById(trx, id);
      if (!user) refuse('SIGNIN_REQUIRED');
      await queries.updateUser(trx, id, { avatar: fileName });
      changed(trx, user.username, 'avatar');
      return user.avatar;
    },
  };
}

/**
 * Refuses with USERNAME_TAKEN if another account than `exceptId` has the name or keeps it, or has a
 * username or display name that looks like it.
 */
export async function requireFree(db: Queryable, username: string, exceptId = ''): Promise<void> {
  const clash = await queries.findClash(db, username, exceptId);
  const holder = await formerNames.findKept(db, username);
  if (clash === 'same' || (holder !== null && holder !== exceptId))
    refuse('USERNAME_TAKEN', { field: 'username' });
  if (clash === 'similar')
    refuse('USERNAME_TAKEN', { text: '该用户名与已有的用户名过于相似，请换一个', field: 'username' });
  if (await queries.isDisplayed(db, username, exceptId))
    refuse('USERNAME_TAKEN', { text: '该用户名与别人的显示名相同或太像，请换一个', field: 'username' });
}

async function requireOwnPicture(trx: Trx, { id }: { id: string }, address: string): Promise<void> {
  if (!(await queries.hasPicture(trx, id, address.replace(PICTURE_URL, ''))))
    refuse('FIELD_INVALID', { text: '赞赏码的图片不存在，请重新上传', field: 'thanks' });
}

const linksOf = ({ links }: Pick<queries.UserRow, 'links'>) => JSON.parse(links) as string[];

function toUser(row: queries.UserRow): User {
  const profile_links = linksOf(row);
  return {
    _id: row.id,
    username: row.username,
    avatar: row.avatar,
    gender: row.gender,
    bio: row.bio,
    create_time: toInstant(row.create_time),
    oauthinfo: [],
    ...(row.display_name === '' ? {} : { display_name: row.display_name }),
    ...(row.website === '' ? {} : { website: row.website }),
    ...(profile_links.length === 0 ? {} : { profile_links }),
  };
}

/**
 * Counts that users see on their own articles: published includes secret ones, as in the response to a save.
 */
function ownNumbers(row: queries.UserRow): ArticleNumbers {
  return { page_num: row.page_num + row.secret_num, draft_num: row.draft_num };
}

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
async function nameFor(
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
