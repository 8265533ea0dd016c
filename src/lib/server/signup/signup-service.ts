import type { TokenPair } from '../../contract/entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { SiteOptions } from '../../contract/site-options.ts';
import { userUrl } from '../../shared/urls.ts';
import type { AuthService, TypedAccount } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import type { Uses } from '../services.ts';

export type SignupService = ReturnType<typeof createSignupService>;

export function createSignupService(
  parts: Uses<
    'auth' | 'invitations' | 'humans' | 'notices' | 'operatorSettings' | 'options' | 'texts' | 'users'
  >,
) {
  const { auth, invitations, humans, notices, options, texts, users } = parts;
  const sso = parts.operatorSettings.current('sso');
  return {
    mode: async (): Promise<{ mode: SiteOptions['signup']; check: boolean }> => ({
      mode: (await options.read()).signup,
      check: await humans.isOnSignup(),
    }),

    /**
     * Creates an account and signs it in. Uses a code if one is required, or if the given one is valid. An
     * account without a password is confirmed by an identity provider, which replaces the human check;
     * `also` runs in the same transaction. Refuses as `auth.signup`; also with WORD_REFUSED, SIGNUP_CLOSED,
     * INVITATION_REQUIRED, INVITATION_INVALID, USERNAME_RESERVED, CHECK_NEEDED, CHECK_FAILED, SSO_ONLY.
     */
    async signUp(
      { invite, check, ...typed }: TypedAccount & { invite: string; check?: string | undefined },
      from: Parameters<AuthService['signup']>[1],
      also?: (trx: Trx, id: string) => Promise<void>,
    ): Promise<TokenPair> {
      const account = await texts.requireClean('user', typed, null);
      const isVouched = account.password === null;
      if (!isVouched && (await sso.read()).isOnly) refuse('SSO_ONLY');
      const { signup: mode } = await options.read();
      if (mode === 'closed') refuse('SIGNUP_CLOSED');
      if (mode === 'invitation' && invite === '') refuse('INVITATION_REQUIRED', { field: 'invite' });
      const { username } = account;
      await users.requireAllowed(username);
      const useProof = isVouched ? null : await humans.ofSignup(check);
      return auth.signup(account, from, async (trx, id) => {
        // An account of that name may have been closed since.
        await users.requireAllowed(username, { on: trx });
        await useProof?.(trx);
        // The transaction decides: of two simultaneous sign-ups, one gets the last use.
        if (mode === 'invitation' || (invite !== '' && (await invitations.isGood(invite))))
          await invitations.use(trx, invite, id);
        await also?.(trx, id);
        await notices.notify(trx, { kind: 'signup', username, path: userUrl(username) });
      });
    },
  };
}
