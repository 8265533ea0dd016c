import type { AccountParts } from '../auth/account-parts.ts';
import { createAccountServices } from '../auth/account-services.ts';
import { deriveKey } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { createOutside } from '../outside/outside.ts';
import type { Uses } from '../services.ts';
import { createInvitationService } from '../signup/invitation-service.ts';
import { createSignupService } from '../signup/signup-service.ts';
import { createIdentityService } from '../sso/identity-service.ts';
import { createSsoService } from '../sso/sso-service.ts';

/** Creates the client for other sites. It may reach the operator's own receivers and identity providers. */
export const openOutside = ({ webhookPrivateHosts, sso }: Config) =>
  createOutside({
    privateHosts: webhookPrivateHosts,
    issuerHosts: sso.providers.flatMap((each) => (each.kind === 'oidc' ? [new URL(each.issuer).host] : [])),
  });

export const openAccounts = (config: Config, parts: Uses<'users'> & Pick<AccountParts, 'site' | 'mailer'>) =>
  createAccountServices({
    ...config,
    ...parts,
    secret: config.tokenSecret,
    accessTtl: config.accessTokenTtl,
    refreshTtl: config.refreshTokenTtl,
    isSsoOnly: config.sso.isOnly,
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
    | 'options'
    | 'outside'
    | 'recovery'
    | 'roles'
    | 'texts'
    | 'users'
  >,
) {
  const invitations = createInvitationService(parts);
  const signups = createSignupService({ ...parts, invitations, isSsoOnly: config.sso.isOnly });
  const sso = createSsoService({
    ...parts,
    signups,
    settings: config.sso,
    key: deriveKey(config.tokenSecret, 'sso flow'),
    origin: config.origin,
  });
  return { invitations, signups, sso, identities: createIdentityService({ ...parts, sso }) };
}
