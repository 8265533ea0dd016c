import type { TokenPair, User } from '../../contract/entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { addressKey } from '../http/address.ts';
import type { Trx } from '../db/database.ts';
import type { AppParts } from '../services.ts';
import type { Clean } from '../moderation/text-judge.ts';
import { formatMinute } from '../../shared/time.ts';
import { asClean } from '../shared/clean-text.ts';
import { toInstant } from '../shared/ids.ts';
import type { AccountParts } from './account-parts.ts';
import { createKnownPlaces, type Place } from './guard/known-places.ts';
import { createPasswords, requireUncommon, type Turn } from './passwords.ts';
import { createSignins, type Session, type Viewer } from './signins.ts';
import { deleteTokens } from './access/access-token-queries.ts';
import { createTickets } from './safety/tickets.ts';
import { createTokens } from './tokens.ts';
import { createTwoStep } from './safety/two-step.ts';

export type { Caller, Viewer } from './signins.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** A new account as it was typed, without a password if an identity provider signs it in. */
export interface TypedAccount {
  username: string;
  password: string | null;
  gender: User['gender'];
  bio: string;
}

export type SignupAccount = Clean<'user', TypedAccount>;

/** Proof for a change to an account; the code is required when two-step verification is on. */
export interface Proof {
  password: string;
  code?: string | undefined;
}

/** A session, or the ticket of a second step. */
export type Entry = { session: Session } | { ticket: string };

export type AuthService = ReturnType<typeof createAuthService>;

/** Accounts and sign-ins, CONTRACT.md, "Tokens". */
export function createAuthService(parts: AccountParts & Pick<AppParts, 'guard' | 'notifyChange'>) {
  const { db, users, guard, isSsoOnly = async () => false, notifyChange } = parts;
  const tokens = createTokens(parts);
  const signins = createSignins({ ...parts, tokens });
  const places = createKnownPlaces(parts);
  const passwords = createPasswords();
  const tickets = createTickets(parts);
  const twoStep = createTwoStep({ ...parts, tickets });

  const newPlaceMail = (key: string, { address, client = '' }: Place) => ({
    key,
    details: [
      `浏览器：${client === '' ? '不清楚' : client}`,
      `地址：${address}`,
      `时间：${formatMinute(toInstant(parts.now()), parts.timeZone)}`,
    ],
  });
  const authenticate = async ({ username, password }: Credentials, turn?: Turn) => {
    const stored = await users.credentials(username);
    const { matches, isOutdated } = await passwords.verify(stored?.passwordHash ?? null, password, turn);
    if (!stored || !matches) return null;
    return { ...stored, newHash: isOutdated ? await passwords.hash(password, turn) : null };
  };
  const begin = async (trx: Trx, userId: string, from: Place): Promise<Session> => {
    const newPlace = await places.note(trx, userId, from);
    if (newPlace !== null) await notifyChange(trx, userId, 'new-place', newPlaceMail(newPlace, from));
    return signins.begin(trx, userId, from.client);
  };
  /** Starts a sign-in after the first factor; returns a ticket if a code is needed too. */
  const admit = async (
    trx: Trx,
    { id, username }: { id: string; username: string },
    from: Place,
    { skipsCode = false } = {},
  ): Promise<Entry> =>
    skipsCode || !(await twoStep.isOn(trx, id))
      ? { session: await begin(trx, id, from) }
      : { ticket: await tickets.issue(trx, 'second-factor', { userId: id, payload: username }) };
  const enter = async (credentials: Credentials, from: Place, turn: Turn): Promise<Entry | null> => {
    const account = await authenticate(credentials, turn);
    if (!account) return null;
    const { id } = account;
    const isProviderNeeded = await isSsoOnly();
    const entry = await db.write(async (trx): Promise<Entry | null> => {
      if (!(await users.hasPasswordHash(trx, id, account.passwordHash))) return null;
      if (account.newHash !== null) await users.setPasswordHash(trx, id, account.newHash);
      // Answered only after the right password, as every refusal that tells something of the account.
      if (isProviderNeeded && (await tickets.count(trx, 'rescued', id)) === 0) refuse('SSO_ONLY');
      return admit(trx, { id, username: credentials.username }, from);
    });
    // The hash changed since it was read, perhaps by another sign-in of an imported account: tries again with
    // the stored one.
    return entry ?? enter(credentials, from, turn);
  };
  /** Refuses a taken name before hashing; the transaction that adds the user checks it again. */
  const prepare = async ({ password, ...account }: SignupAccount, turn?: Turn) => {
    await users.requireFree(account.username);
    if (password === null) return { ...account, passwordHash: '' };
    await requireUncommon(password, account.username, 'password');
    return { ...account, passwordHash: await passwords.hash(password, turn) };
  };
  /**
   * Stores a password inside `trx` and mails the owner; ends the user's sign-ins except `except`, voids the
   * user's tickets and, unless `keepsTokens`, revokes the user's access tokens.
   */
  const replacePassword = async (
    trx: Trx,
    userId: string,
    hash: string,
    { keepsTokens = false, ...which }: { except?: string; keepsTokens?: boolean } = {},
  ) => {
    await users.setPasswordHash(trx, userId, hash);
    await tickets.drop(trx, userId);
    await signins.endAllOf(trx, userId, which);
    if (!keepsTokens) await deleteTokens(trx, userId);
    await notifyChange(trx, userId, 'password');
  };
  /** Identifies a viewer for guess limits: each sign-in counts as its own known place. */
  const guesser = ({ username, signinId }: Viewer, { address }: Place) => ({
    address,
    username,
    knownPlace: `signin ${signinId}`,
  });
  /**
   * Returns the viewer's account after a password check. An account without a password needs a recent sign-in
   * instead. Refuses with PASSWORD_WRONG, TOO_MANY_REQUESTS, SIGNIN_AGAIN.
   */
  const confirm = async (viewer: Viewer, password: string, from: Place) => {
    const { id: owner, username } = viewer;
    const stored = await users.credentials(username);
    if (stored?.id === owner && stored.passwordHash === '')
      return (await signins.isRecent(viewer)) ? { ...stored, newHash: null } : refuse('SIGNIN_AGAIN');
    const account = await guard.attempt(guesser(viewer, from), () =>
      authenticate({ username, password }, { owner, isKnown: true }),
    );
    return account ?? refuse('PASSWORD_WRONG', { field: 'password' });
  };
  /** Runs `check` of a viewer's code (null: wrong). Refuses with CODE_WRONG, TOO_MANY_REQUESTS. */
  const attemptCode = async <T>(viewer: Viewer, from: Place, check: () => Promise<T | null>): Promise<T> => {
    const found = await guard.attempt({ ...guesser(viewer, from), what: 'code' }, check);
    return found ?? refuse('CODE_WRONG', { field: 'code' });
  };
  /** Like `confirm`; with two-step verification on, also consumes a code, or refuses with CODE_WRONG. */
  const confirmChange = async (viewer: Viewer, { password, code }: Proof, from: Place) => {
    const account = await confirm(viewer, password, from);
    if (!(await twoStep.isOn(db.read, viewer.id))) return account;
    if (code === undefined) return refuse('CODE_WRONG', { field: 'code', text: '请填写验证码' });
    await attemptCode(viewer, from, () =>
      db.write(async (trx) => (await twoStep.take(trx, viewer.id, code)) || null),
    );
    return account;
  };

  return {
    /**
     * Creates an account and records `from` as a known place; `also` runs in the same transaction, and an
     * error it throws rolls everything back. Refuses with USERNAME_TAKEN, FIELD_INVALID (a common password),
     * TOO_MANY_REQUESTS, UNAVAILABLE.
     */
    async signup(
      account: SignupAccount,
      from: Place,
      also?: (trx: Trx, id: string) => Promise<void>,
    ): Promise<TokenPair> {
      await guard.count('signup', from.address);
      const user = await prepare(account, { owner: addressKey(from.address), isKnown: false });
      const session = await db.write(async (trx) => {
        const id = await users.add(trx, user);
        await also?.(trx, id);
        return begin(trx, id, from);
      });
      return signins.pairOf(session);
    },
    /**
     * Signs in and records `from` as a known place. Refuses with SIGNIN_FAILED for an unknown user or a wrong
     * password (after the same work), SECOND_FACTOR_REQUIRED with a ticket when a code is needed too,
     * ACCOUNT_BANNED only after all factors are correct, SSO_ONLY after the right password; also
     * TOO_MANY_REQUESTS and UNAVAILABLE.
     */
    async signin(credentials: Credentials, from: Place): Promise<TokenPair> {
      const { username } = credentials;
      const knownPlace = await places.find(username, from);
      const turn = { owner: knownPlace ?? addressKey(from.address), isKnown: knownPlace !== null };
      const entry = await guard.attempt({ address: from.address, username, knownPlace }, () =>
        enter(credentials, from, turn),
      );
      if (!entry) return refuse('SIGNIN_FAILED');
      return 'session' in entry ? signins.pairOf(entry.session) : refuse('SECOND_FACTOR_REQUIRED', entry);
    },
    /**
     * Completes a sign-in with the ticket of `signin` and a code. Refuses with TICKET_OVER, CODE_WRONG,
     * TOO_MANY_REQUESTS, ACCOUNT_BANNED.
     */
    async finishSignin({ ticket, code }: { ticket: string; code: string }, from: Place): Promise<TokenPair> {
      const held = await tickets.find(db.read, 'second-factor', ticket);
      if (!held) return refuse('TICKET_OVER');
      const knownPlace = await places.find(held.payload, from);
      const guess = { address: from.address, username: held.payload, what: 'code' as const, knownPlace };
      const session = await guard.attempt(guess, () =>
        db.write(async (trx) => {
          const { userId } = (await tickets.find(trx, 'second-factor', ticket)) ?? refuse('TICKET_OVER');
          if (userId === null || !(await twoStep.take(trx, userId, code))) return null;
          await tickets.take(trx, 'second-factor', ticket);
          return begin(trx, userId, from);
        }),
      );
      return session ? signins.pairOf(session) : refuse('CODE_WRONG', { field: 'code' });
    },
    refresh: signins.refresh,
    async signout(from: { signinId: string | null } | null): Promise<void> {
      if (from?.signinId) await signins.end(from.signinId);
    },
    viewerOf: signins.viewerOf,
    /**
     * Creates an account without a sign-in for the operator; returns its id. Refuses with USERNAME_TAKEN,
     * FIELD_INVALID (a common password).
     */
    async addUser({ username, bio, ...rest }: TypedAccount): Promise<string> {
      const texts = { username: asClean(username, 'operator'), bio: asClean(bio, 'operator') };
      const user = await prepare({ ...rest, ...texts });
      return db.write((trx) => users.add(trx, user));
    },
    /** Returns whether the password is correct. Has no guess limits: for the operator. */
    async verifyPassword(username: string, password: string): Promise<boolean> {
      return (await authenticate({ username, password })) !== null;
    },
    /**
     * Replaces a password and ends every sign-in of the user. Refuses with USER_NOT_FOUND, FIELD_INVALID (a
     * common password).
     */
    async setPassword(username: string, password: string): Promise<void> {
      const user = await users.credentials(username);
      if (!user) refuse('USER_NOT_FOUND');
      await requireUncommon(password, username, 'password');
      const hash = await passwords.hash(password);
      await db.write((trx) => replacePassword(trx, user.id, hash));
    },

    confirm,
    confirmChange,
    replacePassword,
    begin,
    admit,
    pairOf: signins.pairOf,
    signins,
    tickets,
    twoStep,
    /**
     * Hashes a new password in the queue of a viewer or of an address. Refuses with UNAVAILABLE,
     * FIELD_INVALID (a common password).
     */
    async hashNew(password: string, by: Viewer | Place): Promise<string> {
      const isKnown = 'signinId' in by;
      await requireUncommon(password, isKnown ? by.username : '', 'new_password');
      return passwords.hash(password, { owner: isKnown ? by.id : addressKey(by.address), isKnown });
    },
    attemptCode,
    endedAmong: signins.endedAmong,
    endSigninsOf: async (trx: Trx, userId: string): Promise<void> =>
      void (await signins.endAllOf(trx, userId)),
    async purgeExpired(): Promise<number> {
      await guard.purgeExpired();
      await places.purge();
      await db.write((trx) => tickets.purge(trx));
      return signins.purgeExpired();
    },
  };
}
