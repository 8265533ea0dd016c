import { randomBytes } from 'node:crypto';
import type { User, UserInfo } from '../../contract/entities.ts';
import { refuse } from '../../contract/errors.ts';
import { isStaff, type Role } from '../../contract/permissions.ts';
import type { Database, Queryable, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { newId, toInstant } from '../ids.ts';
import { nameFor, type TakenNames } from './foreign-names.ts';
import * as formerNames from './former-queries.ts';
import { closedName, isReserved } from './reserved-names.ts';
import * as queries from './user-queries.ts';

/** Whoever is signed in; an auth `Viewer` is one. */
export interface SignedIn {
  id: string;
  username: string;
}

export interface NewUser {
  username: string;
  passwordHash: string;
  gender: User['gender'];
  bio: string;
}

/** An account of another site. */
export interface ForeignUser extends NewUser {
  /** 24 hex digits that nobody has here. */
  id: string;
  created: number;
}

type ArticleNumbers = Pick<UserInfo, 'page_num' | 'draft_num'>;

export type UserService = ReturnType<typeof createUserService>;

/** Users: who they are and what they say of themselves; `countComments` tells how many comments one wrote. */
export function createUserService(options: {
  db: Database;
  events: Pick<Events, 'emit'>;
  countComments: (userId: string) => Promise<number>;
  now?: () => number;
}) {
  const { db, events, countComments, now = Date.now } = options;
  const find = async (username: string): Promise<queries.UserRow | null> =>
    queries.findUserByName(db.read, username.trim());
  const findShown = async (username: string): Promise<User | null> => {
    const row = await find(username);
    return row && row.ban_hides === 0 ? toUser(row) : null;
  };
  const changed = (trx: Trx, username: string, what: 'bio' | 'avatar'): void =>
    events.emit(trx, { type: 'user-changed', username, what });

  return {
    /** The user of that name without regard to case or width, or null. */
    async find(username: string): Promise<User | null> {
      const row = await find(username);
      return row && toUser(row);
    },
    /** The user of that name as everybody sees them, or null; a ban that hides content hides its author. */
    findShown,
    /** Like `findShown`; refuses with USER_NOT_FOUND. */
    detail: async (username: string): Promise<User> =>
      (await findShown(username)) ?? refuse('USER_NOT_FOUND'),
    /**
     * A user and their numbers; of others, only public articles count, drafts and comments read 0. '' means
     * the viewer. Refuses with USER_NOT_FOUND, as for an account that a ban hides.
     */
    async info(username: string, viewer: SignedIn | null): Promise<UserInfo> {
      const row =
        username.trim() === '' && viewer
          ? await queries.findUserById(db.read, viewer.id)
          : await find(username);
      if (!row) refuse('USER_NOT_FOUND');
      const isOwn = row.id === viewer?.id;
      if (row.ban_hides === 1 && !isOwn) refuse('USER_NOT_FOUND');
      if (!isOwn) return { ...toUser(row), page_num: row.page_num, draft_num: 0, comment_num: 0 };
      const role = isStaff(row.role) ? { role: row.role } : {};
      return { ...toUser(row), ...ownNumbers(row), comment_num: await countComments(row.id), ...role };
    },
    /** Replaces the viewer's bio. Refuses with SIGNIN_REQUIRED when the account is gone. */
    updateBio: (viewer: SignedIn, bio: string): Promise<void> =>
      db.write(async (trx) => {
        const user = (await queries.findUserById(trx, viewer.id)) ?? refuse('SIGNIN_REQUIRED');
        await queries.updateUser(trx, viewer.id, { bio });
        changed(trx, user.username, 'bio');
      }),
    /** Totals of the site, kept by the writes that change them. */
    async statistics() {
      const totals = await queries.selectTotals(db.read);
      return { userNum: totals.users, pageNum: totals.publicArticles };
    },
    /** Every user with all published articles and drafts counted, oldest first: for the operator. */
    async listUsers(): Promise<(User & ArticleNumbers & { role: Role })[]> {
      const rows = await queries.selectUsers(db.read);
      return rows.map((row) => ({ ...toUser(row), ...ownNumbers(row), role: row.role }));
    },

    /** Refuses with USERNAME_TAKEN unless the name is free, and looks like no other (skeletons.ts). */
    requireFree: (username: string) => requireFree(db.read, username),
    /** Adds a user inside `trx`, counts it, returns its id. Refuses as `requireFree`. */
    async add(trx: Trx, { passwordHash, ...user }: NewUser): Promise<string> {
      const id = newId();
      // Writes run one after another: nobody takes the name, or one like it, before this one is stored.
      await requireFree(trx, user.username);
      try {
        await queries.insertUser(trx, { ...user, id, password_hash: passwordHash, create_time: now() });
      } catch (error) {
        if (db.violation(error)?.constraint === 'users_username_key') refuse('USERNAME_TAKEN');
        throw error;
      }
      return id;
    },
    /**
     * Adds an account of another site inside `trx`, under a name that it can have here; the name. An empty
     * `passwordHash` is that of no password.
     */
    async bring(
      trx: Trx,
      { passwordHash, created, ...user }: ForeignUser,
      taken: TakenNames,
    ): Promise<string> {
      const username = await nameFor(trx, user.username, taken, now());
      const row = { ...user, username, password_hash: passwordHash, create_time: created };
      await queries.insertUser(trx, row);
      return username;
    },
    /** The name that `bring` would give. */
    foreseeName: (name: string, taken: TakenNames) => nameFor(db.read, name, taken, now()),
    /** The id and password hash of the account with that name, or a name that staff replaced; or null. */
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
    /** Whether `username` is, or looks like, a name that an account had within the last 180 days. */
    isFormerName: (username: string, handle: Queryable = db.read) =>
      formerNames.isFormerName(handle, username, now()),
    /**
     * Replaces inside `trx` the name of an account; returns the new one. The former name is reserved, and its
     * owner can sign in with it for as long.
     */
    async takeName(trx: Trx, user: SignedIn): Promise<string> {
      const username = `用户-${randomBytes(4).toString('hex')}`;
      await formerNames.reserveRenamed(trx, user, now());
      await queries.renameUser(trx, user.id, username);
      // It stood on any page.
      events.emit(trx, { type: 'anything' });
      return username;
    },
    /** Empties inside `trx` the bio of an account; returns the former one. */
    async takeBio(trx: Trx, { id, username }: SignedIn): Promise<string> {
      const bio = (await queries.findUserById(trx, id))?.bio ?? '';
      await queries.updateUser(trx, id, { bio: '' });
      changed(trx, username, 'bio');
      return bio;
    },
    /** Reserves inside `trx` the name of an account that is being closed. */
    reserveClosedName: (trx: Trx, user: SignedIn) => formerNames.reserveClosedName(trx, user, now()),
    closedName,
    isReserved,
    /** Removes reservations of names that have ended. */
    purgeReservations: (): Promise<void> =>
      db.write((trx) => formerNames.deleteEndedReservations(trx, now())),
    skeletonsOf: queries.skeletonColumns,
    async setPasswordHash(trx: Trx, id: string, hash: string): Promise<void> {
      await queries.updateUser(trx, id, { password_hash: hash });
    },
    /** Names a user's avatar; returns the former file, '' for none. Refuses with SIGNIN_REQUIRED. */
    async setAvatar(trx: Trx, id: string, fileName: string): Promise<string> {
      const user = await queries.findUserById(trx, id);
      if (!user) refuse('SIGNIN_REQUIRED');
      await queries.updateUser(trx, id, { avatar: fileName });
      changed(trx, user.username, 'avatar');
      return user.avatar;
    },
  };
}

async function requireFree(db: Queryable, username: string): Promise<void> {
  const clash = await queries.findClash(db, username);
  if (clash === 'same') refuse('USERNAME_TAKEN');
  if (clash === 'similar') refuse('USERNAME_TAKEN', { text: '该用户名与已有的用户名过于相似，请换一个' });
}

function toUser(row: queries.UserRow): User {
  return {
    _id: row.id,
    username: row.username,
    avatar: row.avatar,
    gender: row.gender,
    bio: row.bio,
    create_time: toInstant(row.create_time),
    oauthinfo: [],
  };
}

/** What users see of their own: published includes secret ones, as in the answer to saving an article. */
function ownNumbers(row: queries.UserRow): ArticleNumbers {
  return { page_num: row.page_num + row.secret_num, draft_num: row.draft_num };
}
