import type { Configuration, CustomFetch } from 'openid-client';
import type { ProviderSettings } from '../config/sso-settings.ts';
import { HOUR_MS } from '../../contract/rules/units.ts';
import {
  flagOf,
  MADE_UP,
  shortText,
  type Person,
  type Provider,
  type Request,
  type Secrets,
} from './provider.ts';
/** Loaded on first use, like the cryptography of passkeys. */
const load = () => import('openid-client');

const METADATA_LIFETIME_MS = HOUR_MS;

type Settings = Extract<ProviderSettings, { kind: 'oidc' }>;

export const oidcIssuerOf = ({ issuer }: Settings): string => new URL(issuer).href;

/**
 * An OpenID provider: authorization code with PKCE, state, nonce and the issuer of the answer (RFC 9207). The
 * signature of the ID token is always verified.
 */
export function createOidc(settings: Settings, request: Request): Provider {
  let known: { configuration: Configuration; until: number } | null = null;

  const discover = async (): Promise<Configuration> => {
    if (known && known.until > Date.now()) return known.configuration;
    const client = await load();
    const issuer = new URL(settings.issuer);
    const isPlainHttp = issuer.protocol === 'http:';
    const { client_id, client_secret } = settings;
    const authenticate = settings.client_auth === 'post' ? client.ClientSecretPost : client.ClientSecretBasic;
    const configuration = await client.discovery(
      issuer,
      client_id,
      client_secret,
      authenticate(client_secret),
      {
        [client.customFetch]: fetchBy(request),
        execute: [
          client.enableNonRepudiationChecks,
          // Only for a provider on this machine (config/sso-settings.ts).
          ...(isPlainHttp ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    known = { configuration, until: Date.now() + METADATA_LIFETIME_MS };
    return configuration;
  };

  return {
    async begin({ state, nonce, verifier }: Secrets, redirectUri: string): Promise<URL> {
      const client = await load();
      return client.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async finish(callback: URL, { state, nonce, verifier }: Secrets): Promise<Person> {
      const client = await load();
      const configuration = await discover();
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no ID token');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
      return personOf({ ...more, ...claims }, settings);
    },
    async check(redirectUri: string): Promise<string> {
      const client = await load();
      const configuration = await discover();
      const { authorization_endpoint, token_endpoint } = configuration.serverMetadata();
      if (!authorization_endpoint || !token_endpoint) throw new Error('the provider names no endpoints');
      const exchange = { code: MADE_UP, redirect_uri: redirectUri, code_verifier: MADE_UP };
      try {
        await client.genericGrantRequest(configuration, 'authorization_code', exchange);
      } catch (error) {
        if (error instanceof client.ResponseBodyError) return error.error;
        if (error instanceof client.WWWAuthenticateChallengeError) return 'invalid_client';
        throw error;
      }
      throw new Error('the provider accepted a made-up code');
    },
  };
}

function personOf(claims: Record<string, unknown>, settings: Settings): Person {
  const name = ['preferred_username', 'nickname', 'name'].map((key) => shortText(claims[key]));
  const groups = claims[settings.groups_claim];
  const amr = claims['amr'];
  return {
    issuer: oidcIssuerOf(settings),
    subject: shortText(claims['sub']),
    name: name.find((each) => each !== '') ?? '',
    ...emailOf(claims, settings),
    groups: (Array.isArray(groups) ? groups : [groups]).map(shortText).filter((group) => group !== ''),
    hasSecondFactor: Array.isArray(amr) && amr.includes('mfa'),
  };
}

function emailOf(claims: Record<string, unknown>, settings: Settings): Pick<Person, 'email' | 'emailFault'> {
  const email = shortText(claims['email']);
  const isVerified = flagOf(claims['email_verified']);
  if (email === '') return { email: null, emailFault: 'the provider names no mail address' };
  if (isVerified ?? settings.trustsEmail) return { email };
  const emailFault =
    isVerified === null
      ? 'the provider does not say whether the mail address is verified (claim email_verified); see trustsEmail'
      : 'the provider says that the mail address is not verified';
  return { email: null, emailFault };
}

/** Sends the library's requests through the guard of outgoing requests. */
const fetchBy =
  (request: Request): CustomFetch =>
  (url, { method, headers, body }) =>
    request(url, { method, headers, body: body === undefined || body === null ? undefined : textOf(body) });

function textOf(body: NonNullable<Parameters<CustomFetch>[1]['body']>): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('the library sent a body that is not text');
}
