import type { Database } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import type { UserService } from '../users/user-service.ts';
import { createAccessTokens } from './access/access-tokens.ts';
import { createAccounts } from './accounts.ts';
import { createAuthService } from './auth-service.ts';
import { createChangeMails, type Mailer, type SiteOrigin } from './safety/change-mails.ts';
import { createGuard, type Guard } from './guard/guard.ts';
import { createPasskeys } from './safety/passkeys.ts';
import { createRecovery } from './safety/recovery.ts';
import { createSafetyService } from './safety/safety-service.ts';

/**
 * Creates the account services.
 * @param options `site` is its origin as browsers see it, and its title; lifetimes are in seconds; `failed`
 * receives errors of background work
 */
export function createAccountServices(options: {
  db: Database;
  users: UserService;
  events: Pick<Events, 'emit'>;
  limitsRates: boolean;
  secret: Uint8Array | string;
  accessTtl: number;
  refreshTtl: number;
  site: SiteOrigin;
  mailer: Mailer;
  failed(error: unknown): void;
  isSsoOnly?: boolean;
  timeZone: string;
  now?: () => number;
}) {
  const { db, users, now = Date.now } = options;
  const guard: Guard = createGuard({ enabled: options.limitsRates, counts: db.sharedCounts, now });
  const notifyChange = createChangeMails(options);
  const auth = createAuthService({ ...options, guard, notifyChange, issuer: () => options.site.title });
  const passkeys = createPasskeys({ ...options, auth, notifyChange });
  return {
    auth,
    notifyChange,
    accounts: createAccounts(auth),
    safety: createSafetyService({ db, auth, users, notifyChange }),
    passkeys,
    accessTokens: createAccessTokens({ ...options, auth, guard, notifyChange }),
    recovery: createRecovery({ ...options, auth, guard, notifyChange, removeKeys: passkeys.removeAll }),
  };
}
