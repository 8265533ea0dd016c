import type { TokenPair, User } from '../../contract/entities.ts';
import { refuse } from '../../contract/errors.ts';
import { addressKey } from '../address.ts';
import type { Database, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import type { UserService } from '../users/user-service.ts';
import type { Guard } from './guard.ts';
import { createKnownPlaces, type Place } from './known-places.ts';
import { createPasswords, type Turn } from './passwords.ts';
import { createSignins, type Session } from './signins.ts';
import { createTokens } from './tokens.ts';

export type { Caller, Viewer } from './signins.ts';

export interface Credentials {
  username: string;
  password: string;
}

export interface NewAccount extends Credentials {
  gender: User['gender'];
  bio: string;
}

export type AuthService = ReturnType<typeof createAuthService>;

/** Accounts and sign-ins, CONTRACT.md, "Tokens". Lifetimes are in seconds, `now` in milliseconds. */
export function createAuthService(options: {
  db: Database;
  users: UserService;
  events: Pick<Events, 'emit'>;
  guard: Guard;
  secret: Uint8Array | string;
  accessTtl: number;
  refreshTtl: number;
  now?: () => number;
}) {
  const { db, users, events, guard, secret, now = Date.now } = options;
  const tokens = createTokens({ ...options, now });
  const signins = createSignins({ db, events, tokens, now });
  const places = createKnownPlaces({ db, secret, now });
  const passwords = createPasswords();

  /** The account a right password opens, or null. */
  const authenticate = async ({ username, password }: Credentials, turn?: Turn) => {
    const stored = await users.credentials(username);
    const { matches, isOutdated } = await passwords.verify(stored?.passwordHash ?? null, password, turn);
    if (!stored || !matches) return null;
    return { ...stored, newHash: isOutdated ? await passwords.hash(password, turn) : null };
  };
  const signin = async (credentials: Credentials, from: Place, turn: Turn): Promise<Session | null> => {
    const account = await authenticate(credentials, turn);
    if (!account) return null;
    const session = await db.write(async (trx) => {
      if (!(await users.hasPasswordHash(trx, account.id, account.passwordHash))) return null;
      if (account.newHash !== null) await users.setPasswordHash(trx, account.id, account.newHash);
      await places.note(trx, account.id, from);
      return signins.begin(trx, account.id);
    });
    // The hash changed since it was read, perhaps by another sign-in of an imported account: what is stored
    // now decides.
    return session ?? signin(credentials, from, turn);
  };
  /** Refuses a taken name before hashing; the transaction that adds the user has the last word. */
  const prepare = async ({ password, ...account }: NewAccount, turn?: Turn) => {
    await users.requireFree(account.username);
    return { ...account, passwordHash: await passwords.hash(password, turn) };
  };

  return {
    /**
     * Makes an account that knows `from`; `also` is done in the same transaction, and undoes all by what it
     * throws. Refuses with USERNAME_TAKEN, TOO_MANY_REQUESTS, UNAVAILABLE.
     */
    async signup(
      account: NewAccount,
      from: Place,
      also?: (trx: Trx, id: string) => Promise<void>,
    ): Promise<TokenPair> {
      await guard.signup(from.address);
      const user = await prepare(account, { owner: addressKey(from.address), isKnown: false });
      const session = await db.write(async (trx) => {
        const id = await users.add(trx, user);
        await places.note(trx, id, from);
        await also?.(trx, id);
        return signins.begin(trx, id);
      });
      return signins.pairOf(session);
    },
    /**
     * Signs in; the account knows `from` then. Refuses an unknown user and a wrong password alike
     * (SIGNIN_FAILED, after the same work); also TOO_MANY_REQUESTS and UNAVAILABLE.
     */
    async signin(credentials: Credentials, from: Place): Promise<TokenPair> {
      const { username } = credentials;
      const knownPlace = await places.find(username, from);
      const turn = { owner: knownPlace ?? addressKey(from.address), isKnown: knownPlace !== null };
      const session = await guard.attempt({ address: from.address, username, knownPlace }, () =>
        signin(credentials, from, turn),
      );
      return session ? signins.pairOf(session) : refuse('SIGNIN_FAILED');
    },
    refresh: signins.refresh,
    /** Ends the sign-in of a `Viewer` or `Caller`; does nothing for visitors. */
    async signout(from: { signinId: string | null } | null): Promise<void> {
      if (from?.signinId) await signins.end(from.signinId);
    },
    viewerOf: signins.viewerOf,
    /** Makes an account without signing in, for the operator; returns its id. Refuses with USERNAME_TAKEN. */
    async addUser(account: NewAccount): Promise<string> {
      const user = await prepare(account);
      return db.write((trx) => users.add(trx, user));
    },
    /** Whether that is the user's password. Without limits on guessing: for the operator. */
    async verifyPassword(username: string, password: string): Promise<boolean> {
      return (await authenticate({ username, password })) !== null;
    },
    /** Replaces a password and ends every sign-in of the user. Refuses with USER_NOT_FOUND. */
    async setPassword(username: string, password: string): Promise<void> {
      const user = await users.credentials(username);
      if (!user) refuse('USER_NOT_FOUND');
      const hash = await passwords.hash(password);
      await db.write(async (trx) => {
        await users.setPasswordHash(trx, user.id, hash);
        await signins.endAllOf(trx, user.id);
      });
    },
    endedAmong: signins.endedAmong,
    /** Ends sign-ins that are over, returns how many; forgets attempts and places that no longer count. */
    async purgeExpired(): Promise<number> {
      await guard.purgeExpired();
      await places.purge();
      return signins.purgeExpired();
    },
  };
}
