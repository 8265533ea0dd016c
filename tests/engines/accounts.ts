import {
  createAuthService,
  type AuthService,
  type NewAccount,
} from '../../src/lib/server/auth/auth-service.ts';
import { createGuard } from '../../src/lib/server/auth/guard.ts';
import type { Database } from '../../src/lib/server/db/database.ts';
import type { BlogEvent } from '../../src/lib/server/db/events.ts';
import { createUserService, type UserService } from '../../src/lib/server/users/user-service.ts';
import { openDatabase } from './open.ts';

export const SECRET = 'a secret of at least thirty-two characters';
export const ACCESS_TTL_S = 900;
export const REFRESH_TTL_S = 30 * 24 * 3600;
export const HOME = { address: '192.0.2.7' };

/** Users and sign-ins over a fresh database, with a clock the test moves. */
export interface AccountStage {
  db: Database;
  folder: string;
  users: UserService;
  auth: AuthService;
  /** Another process over the same database, as after a restart. */
  start(): AuthService;
  /** What was emitted so far. */
  events: BlogEvent[];
  /** Moves the clock on. */
  pass(seconds: number): void;
  now(): number;
  close(): Promise<void>;
}

export async function openAccounts(options: { limits?: boolean } = {}): Promise<AccountStage> {
  const opened = await openDatabase();
  const events: BlogEvent[] = [];
  const sink = { emit: (_trx: object, event: BlogEvent) => void events.push(event) };
  let instant = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const now = () => instant;
  const countComments = () => Promise.resolve(3);
  const users = createUserService({ db: opened.db, events: sink, countComments, now });
  const start = (): AuthService =>
    createAuthService({
      db: opened.db,
      users,
      events: sink,
      guard: createGuard({ enabled: options.limits ?? false, counts: opened.db.sharedCounts, now }),
      secret: SECRET,
      issuer: '墨页',
      accessTtl: ACCESS_TTL_S,
      refreshTtl: REFRESH_TTL_S,
      now,
    });
  const auth = start();
  return { ...opened, users, auth, start, events, now, pass: (seconds) => void (instant += seconds * 1000) };
}

export function account(username: string, password = '松风吹解带，山月照弹琴'): NewAccount {
  return { username, password, gender: 'x', bio: '' };
}
