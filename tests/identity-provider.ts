import { createServer } from 'node:http';
import { once } from 'node:events';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { freePort } from './free-port.ts';

export const CLIENT = { client_id: 'moye', client_secret: 'a secret of the client and the provider' };

/** Claims of the person who signs in; `sub` is their id. */
export type Claims = { sub: string } & Record<string, unknown>;

/** A real OpenID provider on this machine that signs its current person in without asking. */
export interface IdentityProvider {
  issuer: string;
  /** The person whom the next sign-in confirms. */
  person: Claims;
  close(): Promise<void>;
}

const SCOPES = 'openid profile email';

/** Starts a provider for the site whose origin is `site`, under the id `company`. */
export async function openIdentityProvider(site: string, id = 'company'): Promise<IdentityProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const people = new Map<string, Claims>();
  const opened: IdentityProvider = { issuer, person: { sub: 'nobody' }, close };
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${site}/api/oauth/${id}/callback`] }],
    claims: {
      openid: ['sub', 'amr', 'groups'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    cookies: { keys: ['a key for the cookies of the provider'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => people.get(sub) ?? { sub } }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'key' }] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
  const handle = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    const answer = async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      if (prompt.name === 'login') {
        const { sub } = opened.person;
        people.set(sub, opened.person);
        return provider.interactionFinished(request, response, {
          login: { accountId: sub, remember: false },
        });
      }
      const grant = new provider.Grant({
        accountId: session?.accountId ?? '',
        clientId: String(params['client_id']),
      });
      grant.addOIDCScope(SCOPES);
      const grantId = await grant.save();
      return provider.interactionFinished(
        request,
        response,
        { consent: { grantId } },
        { mergeWithLastSubmission: true },
      );
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  return opened;
}

/** Settings of a site that signs in at `issuer`; `more` is added to the provider. */
export const ssoSettings = (issuer: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    providers: [{ id: 'company', kind: 'oidc', label: '公司账号', issuer, ...CLIENT, ...more }],
  });
