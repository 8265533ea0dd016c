import type { AccountParts } from '../auth/account-parts.ts';
import { createAccountServices } from '../auth/account-services.ts';
import { deriveKey } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { createOutside } from '../outside/outside.ts';
import type { SsoSettings } from '../config/sso-settings.ts';
import type { Uses } from '../services.ts';
import type { Current } from '../settings/operator-settings.ts';
import { createInvitationService } from '../signup/invitation-service.ts';
import { createSignupService } from '../signup/signup-service.ts';
import { createIdentityService } from '../sso/identity-service.ts';
import { createSsoService } from '../sso/sso-service.ts';

type CurrentSso = Current<SsoSettings>;

/** Creates the client for other sites. It may reach the operator's own receivers and identity providers. */
export const openOutside = ({ webhookPrivateHosts }: Config, sso: CurrentSso) =>
  createOutside({
    privateHosts: webhookPrivateHosts,
    issuerHosts: async () =>
      (await sso.read()).providers.flatMap((each) =>
        each.kind === 'oidc' ? [new URL(each.issuer).host] : [],
      ),
  });

export const openAccounts = (
  config: Config,
  { sso, ...parts }: Uses<'users'> & Pick<AccountParts, 'site' | 'mailer'> & { sso: CurrentSso },
) =>
  createAccountServices({
    ...config,
    ...parts,
    secret: config.tokenSecret,
    accessTtl: config.accessTokenTtl,
    refreshTtl: config.refreshTokenTtl,
    isSsoOnly: async () => (await sso.read()).isOnly,
    failed: (error) => parts.log.error({ err: error }, 'background work for accounts failed'),
  });

/** Creates the ways to get an account: with a password, and by an identity provider. */
export function openSignups(
  config: Config,
  parts: Uses<
    | 'auth'
    | 'humans'
    | 'notices'
    | 'notifyChange'
    | 'operatorSettings'
    | 'options'
    | 'outside'
    | 'recovery'
    | 'roles'
    | 'texts'
    | 'users'
  >,
) {
  const invitations = createInvitationService(parts);
  const signups = createSignupService({ ...parts, invitations });
  const sso = createSsoService({
    ...parts,
    signups,
    settings: parts.operatorSettings.current('sso'),
    key: deriveKey(config.tokenSecret, 'sso flow'),
    origin: config.origin,
  });
  return { invitations, signups, sso, identities: createIdentityService({ ...parts, sso }) };
}
