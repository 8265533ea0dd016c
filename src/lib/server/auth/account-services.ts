import type { AccountParts } from './account-parts.ts';
import { createAccessTokens } from './access/access-tokens.ts';
import { createAuthService, type AuthService } from './auth-service.ts';
import { createChangeMails } from './safety/change-mails.ts';
import { createGuard } from './guard/guard.ts';
import { createPasskeys } from './safety/passkeys.ts';
import { createRecovery } from './safety/recovery.ts';
import { createSafetyService } from './safety/safety-service.ts';
import type { z } from 'zod';
import { refuse } from '../../contract/rules/errors.ts';
import { bioField, passwordField, usernameField } from '../../contract/fields.ts';

export function createAccountServices(parts: AccountParts) {
  const { db, limitsRates, now } = parts;
  const guard = createGuard({ enabled: limitsRates, counts: db.sharedCounts, now });
  const notifyChange = createChangeMails(parts);
  const auth = createAuthService({ ...parts, guard, notifyChange });
  const passkeys = createPasskeys({ ...parts, auth, notifyChange });
  return {
    guard,
    auth,
    notifyChange,
    accounts: createAccounts(auth),
    safety: createSafetyService({ ...parts, auth, notifyChange }),
    passkeys,
    accessTokens: createAccessTokens({ ...parts, auth, guard, notifyChange }),
    recovery: createRecovery({ ...parts, auth, guard, notifyChange, passkeys }),
  };
}

export type Accounts = ReturnType<typeof createAccounts>;

function createAccounts(auth: Pick<AuthService, 'addUser' | 'setPassword'>) {
  return {
    /** Creates an account; returns its id and stored name. Refuses with FIELD_INVALID, USERNAME_TAKEN. */
    async add(account: {
      username: string;
      password: string;
      bio: string;
    }): Promise<{ id: string; username: string }> {
      const username = check(usernameField, account.username);
      const password = check(passwordField, account.password);
      const id = await auth.addUser({ username, password, gender: 'x', bio: check(bioField, account.bio) });
      return { id, username };
    },
    /** Replaces a password and ends every sign-in of the user. Refuses with FIELD_INVALID, USER_NOT_FOUND. */
    async setPassword(username: string, password: string): Promise<void> {
      await auth.setPassword(username, check(passwordField, password));
    },
  };
}

function check(field: z.ZodType<string>, value: string): string {
  const parsed = field.safeParse(value);
  return parsed.success
    ? parsed.data
    : refuse('FIELD_INVALID', { text: parsed.error.issues[0]?.message ?? '' });
}
