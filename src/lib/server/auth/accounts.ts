import type { z } from 'zod';
import { refuse } from '../../contract/rules/errors.ts';
import { bioField, passwordField, usernameField } from '../../contract/fields.ts';
import type { AuthService } from './auth-service.ts';

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(auth: Pick<AuthService, 'addUser' | 'setPassword'>) {
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
