import { clean, unlisted } from '../clean-texts.ts';
import { createAccountServices } from '../../src/lib/server/auth/account-services.ts';
import type { AuthService } from '../../src/lib/server/auth/auth-service.ts';
import type { Mailer } from '../../src/lib/server/auth/safety/change-mails.ts';
import type { Database } from '../../src/lib/server/db/database.ts';
import type { BlogEvent } from '../../src/lib/server/db/events.ts';
import { createUserService, type UserService } from '../../src/lib/server/users/user-service.ts';
import { openDatabase } from './open.ts';
import { fakes } from '../fakes.ts';

export const SECRET = 'a secret of at least thirty-two characters';
export const ACCESS_TTL_S = 900;
export const REFRESH_TTL_S = 30 * 24 * 3600;
export const ORIGIN = 'https://blog.example';
export const HOME = { address: '192.0.2.7' };

type Mail = Parameters<Mailer['queueMail']>[1];

/** Users and sign-ins on a fresh database, with a clock that the test controls. */
export interface AccountStage extends ReturnType<typeof createAccountServices> {
  db: Database;
  folder: string;
  users: UserService;
  /** Opens another process on the same database, as after a restart. */
  start(): AuthService;
  mails: Mail[];
  events: BlogEvent[];
  /** Advances the clock. */
  pass(seconds: number): void;
  now(): number;
  close(): Promise<void>;
}

export async function openAccounts(
  options: { limits?: boolean; hasMail?: boolean } = {},
): Promise<AccountStage> {
  const opened = await openDatabase();
  const events: BlogEvent[] = [];
  const sink = fakes({ events: { emit: (_trx, event) => void events.push(event) } });
  let instant = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const now = () => instant;
  const countComments = () => Promise.resolve(3);
  const ownNames = () => Promise.resolve({ title: '墨页', reserved: [] });
  const mayThank = () => Promise.resolve(true);
  const names = { countComments, ownNames, mayThank, texts: unlisted };
  const users = createUserService({ ...sink, db: opened.db, ...names, now });
  const mails: Mail[] = [];
  const open = () =>
    createAccountServices({
      db: opened.db,
      ...sink,
      users,
      limitsRates: options.limits ?? false,
      secret: SECRET,
      accessTtl: ACCESS_TTL_S,
      refreshTtl: REFRESH_TTL_S,
      site: { origin: ORIGIN, title: '墨页' },
      mailer: {
        hasMail: options.hasMail ?? true,
        queueMail: async (_trx, mail) => (mails.push(mail), null),
        requireAccepted: () => Promise.resolve(),
      },
      timeZone: 'Asia/Shanghai',
      failed(error) {
        throw error;
      },
      now,
    });
  const services = open();
  const pass = (seconds: number) => void (instant += seconds * 1000);
  return { ...opened, ...services, users, start: () => open().auth, events, mails, now, pass };
}

export function account(username: string, password = '松风吹解带，山月照弹琴') {
  return { username: clean(username), password, gender: 'x' as const, bio: clean('') };
}
