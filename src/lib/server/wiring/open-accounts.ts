import { createAccountServices } from '../auth/account-services.ts';
import { deriveKey } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { createOutside, type Outside } from '../outside/outside.ts';
import type { Log } from '../shared/log.ts';
import { createSignupServices } from '../signup/signup-services.ts';
import { createIdentityService } from '../sso/identity-service.ts';
import { createSsoService } from '../sso/sso-service.ts';

type AccountParts = Parameters<typeof createAccountServices>[0];
type SignupParts = Parameters<typeof createSignupServices>[0];
type SsoParts = Parameters<typeof createSsoService>[0];

/** Creates the client for other sites. It may reach the operator's own receivers and identity providers. */
export const openOutside = ({ webhookPrivateHosts, sso }: Config): Outside =>
  createOutside({
    privateHosts: webhookPrivateHosts,
    issuerHosts: sso.providers.flatMap((each) => (each.kind === 'oidc' ? [new URL(each.issuer).host] : [])),
  });

export const openAccounts = (
  config: Config,
  parts: Pick<AccountParts, 'db' | 'users' | 'events' | 'site' | 'mailer' | 'now'> & { log: Log },
) =>
  createAccountServices({
    ...config,
    ...parts,
    secret: config.tokenSecret,
    accessTtl: config.accessTokenTtl,
    refreshTtl: config.refreshTokenTtl,
    timeZone: config.siteTimeZone,
    isSsoOnly: config.sso.isOnly,
    failed: (error) => parts.log.error({ err: error }, 'background work for accounts failed'),
  });

/** Creates the ways to get an account: with a password, and by an identity provider. */
export function openSignups(
  config: Config,
  parts: Omit<SignupParts, 'isSsoOnly'> &
    Omit<SsoParts, 'settings' | 'request' | 'key' | 'origin' | 'signups'> & {
      outside: Outside;
      users: Parameters<typeof createIdentityService>[0]['users'];
    },
) {
  const signup = createSignupServices({ ...parts, isSsoOnly: config.sso.isOnly });
  const sso = createSsoService({
    ...parts,
    ...signup,
    settings: config.sso,
    request: parts.outside.request,
    key: deriveKey(config.tokenSecret, 'sso flow'),
    origin: config.origin,
  });
  return { ...signup, sso, identities: createIdentityService({ ...parts, sso }) };
}
