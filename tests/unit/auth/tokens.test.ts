import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createTokens } from '../../../src/lib/server/auth/tokens.ts';

const SECRET = 'one secret of at least thirty-two characters';
const START = Date.UTC(2026, 5, 1);
const claims = { userId: 'a'.repeat(24), signinId: 'sign-in' };
const user = { ...claims, username: '林间' };
const make = (options: { secret?: string | Uint8Array; now?: () => number } = {}) =>
  createTokens({ secret: SECRET, accessTtl: 900, refreshTtl: 3600, now: () => START, ...options });
const tokens = make();
const refreshToken = { id: 'identifier', signinId: 'sign-in', ...tokens.refreshTimes() };

describe('an access token', () => {
  test('names its user and sign-in until it expires, and reports expiry afterwards', async () => {
    const token = await tokens.signAccess(user);
    expect(await tokens.readAccess(token)).toEqual({ ...claims, isExpired: false });
    expect(await make({ now: () => START + 899_999 }).readAccess(token)).toEqual({
      ...claims,
      isExpired: false,
    });
    expect(await make({ now: () => START + 900_000 }).readAccess(token)).toEqual({
      ...claims,
      isExpired: true,
    });
  });

  test('that was read before expires when it should', async () => {
    let instant = START;
    const server = make({ now: () => instant });
    const token = await server.signAccess(user);
    expect(await server.readAccess(token)).toEqual({ ...claims, isExpired: false });
    instant = START + 899_999;
    expect(await server.readAccess(token)).toEqual({ ...claims, isExpired: false });
    instant = START + 900_000;
    expect(await server.readAccess(token)).toEqual({ ...claims, isExpired: true });
  });

  test('is not accepted as a refresh token, nor the other way round', async () => {
    expect(await tokens.readRefresh(await tokens.signAccess(user))).toBeNull();
    expect(await tokens.readAccess(await tokens.signRefresh(refreshToken))).toBeNull();
  });

  test('of another server, or slightly altered, is invalid, expired or not', async () => {
    const foreign = await make({ secret: 'another secret of thirty-two characters' }).signAccess(user);
    expect(await tokens.readAccess(foreign)).toBeNull();
    expect(await make({ now: () => START + 10_000_000 }).readAccess(foreign)).toBeNull();
    const token = await tokens.signAccess(user);
    const [head = '', body = '', signature = ''] = token.split('.');
    const admin = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'b'.repeat(24) })).toString(
      'base64url',
    );
    for (const text of [
      '',
      'x',
      'a.b.c',
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}.${admin}.${signature}`,
      `${token}.${signature}`,
      `${token}${'A'.repeat(4000)}`,
    ]) {
      expect(await tokens.readAccess(text)).toBeNull();
    }
  });

  test('with another algorithm is invalid', async () => {
    const token = await tokens.signAccess(user);
    const [, body = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const alg of ['none', 'None', 'HS512', 'RS256']) {
      const input = `${encode({ alg, typ: 'at+jwt' })}.${body}`;
      const mac = createHmac(alg === 'HS512' ? 'sha512' : 'sha256', SECRET)
        .update(input)
        .digest('base64url');
      expect(await tokens.readAccess(`${input}.`)).toBeNull();
      expect(await tokens.readAccess(`${input}.${mac}`)).toBeNull();
    }
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signed = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' })
      .sign(privateKey);
    expect(await tokens.readAccess(signed)).toBeNull();
  });

  test('is signed with a key derived per type, not with the secret itself', async () => {
    const token = await tokens.signAccess(user);
    const { alg, typ } = decodeProtectedHeader(token);
    expect([alg, typ]).toEqual(['HS256', 'at+jwt']);
    const forged = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(new TextEncoder().encode(SECRET));
    expect(await tokens.readAccess(forged)).toBeNull();
  });
});

describe('a refresh token', () => {
  test('is deterministic, so that a lost response can be repeated', async () => {
    const token = await tokens.signRefresh(refreshToken);
    expect(await make({ now: () => START + 20_000 }).signRefresh(refreshToken)).toBe(token);
    expect(await tokens.readRefresh(token)).toEqual({ id: 'identifier', signinId: 'sign-in' });
  });

  test('is invalid once expired', async () => {
    const token = await tokens.signRefresh(refreshToken);
    expect(await make({ now: () => START + 3_599_000 }).readRefresh(token)).not.toBeNull();
    expect(await make({ now: () => START + 3_600_000 }).readRefresh(token)).toBeNull();
  });

  test('has one successor, computable only with the secret', () => {
    expect(tokens.successorOf('identifier')).toBe(make().successorOf('identifier'));
    expect(make({ secret: new TextEncoder().encode(SECRET) }).successorOf('identifier')).toBe(
      tokens.successorOf('identifier'),
    );
    const others = [
      tokens.successorOf('other'),
      tokens.hashOf('identifier'),
      make({ secret: 'another secret of thirty-two characters' }).successorOf('identifier'),
    ];
    expect(others).not.toContain(tokens.successorOf('identifier'));
    expect(tokens.newRefreshId()).not.toBe(tokens.newRefreshId());
  });
});
