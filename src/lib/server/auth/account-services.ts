import type { AccountParts } from './account-parts.ts';
import { createAccessTokens } from './access/access-tokens.ts';
import { createAccounts } from './accounts.ts';
import { createAuthService } from './auth-service.ts';
import { createChangeMails } from './safety/change-mails.ts';
import { createGuard } from './guard/guard.ts';
import { createPasskeys } from './safety/passkeys.ts';
import { createRecovery } from './safety/recovery.ts';
import { createSafetyService } from './safety/safety-service.ts';

export function createAccountServices(parts: AccountParts) {
  const { db, limitsRates, now } = parts;
  const guard = createGuard({ enabled: limitsRates, counts: db.sharedCounts, now });
  const notifyChange = createChangeMails(parts);
  const auth = createAuthService({ ...parts, guard, notifyChange });
  const passkeys = createPasskeys({ ...parts, auth, notifyChange });
  return {
    auth,
    notifyChange,
    accounts: createAccounts(auth),
    safety: createSafetyService({ ...parts, auth, notifyChange }),
    passkeys,
    accessTokens: createAccessTokens({ ...parts, auth, guard, notifyChange }),
    recovery: createRecovery({ ...parts, auth, guard, notifyChange, passkeys }),
  };
}
