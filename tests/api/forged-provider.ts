import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { CLIENT } from '../identity-provider.ts';

/** A provider whose answers a test forges. */
export interface ForgedProvider {
  issuer: string;
  /** Returns the ID token of the next answer. */
  forge(token: () => Promise<string>): void;
  /** Signs claims as an honest provider would, unless they are overwritten. */
  sign(claims: JWTPayload): Promise<string>;
  /** The same claims without a signature. */
  unsigned(claims: JWTPayload): string;
  /** The same claims, signed with the secret of the client. */
  signWithSecret(claims: JWTPayload): Promise<string>;
  /** The same claims, signed with a key that the provider does not publish. */
  signWithOtherKey(claims: JWTPayload): Promise<string>;
  close(): Promise<void>;
}

export async function openForgedProvider(): Promise<ForgedProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const other = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'key' };
  let make: () => Promise<string> = async () => '';
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      if (request.url === '/keys') return { keys: [jwk] };
      if (request.url === '/token')
        return { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: await make() };
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
      };
    };
    request.resume();
    void answer().then((body) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seconds = () => Math.floor(Date.now() / 1000);
  const whole = (claims: JWTPayload): JWTPayload => ({
    iss: issuer,
    aud: CLIENT.client_id,
    sub: 'mallory',
    iat: seconds(),
    exp: seconds() + 300,
    ...claims,
  });
  return {
    issuer,
    forge: (token) => void (make = token),
    sign: (claims) =>
      new SignJWT(whole(claims)).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(privateKey),
    unsigned: (claims) => new UnsecuredJWT(whole(claims)).encode(),
    signWithSecret: (claims) =>
      new SignJWT(whole(claims))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(CLIENT.client_secret)),
    signWithOtherKey: (claims) =>
      new SignJWT(whole(claims)).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(other.privateKey),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
