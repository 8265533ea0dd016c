import { expect, test } from 'vitest';
import { createAccessTokens } from '../../../src/lib/server/auth/access/access-tokens.ts';
import { newAccessToken } from '../../../src/lib/server/shared/access-token.ts';
import { fakes } from '../../fakes.ts';

/** Tokens on a database that fails every read. */
const tokens = createAccessTokens({
  db: {
    get read(): never {
      throw new Error('the database was read');
    },
  } as never,
  ...fakes({ auth: {}, guard: { count: async () => {} } }),
  notifyChange: () => Promise.resolve(),
  failed() {},
  now: Date.now,
});
const read = (authorization: string | undefined) => tokens.bearerOf(authorization, '192.0.2.7');

test('a token with a wrong checksum is refused without a database read', async () => {
  const token = newAccessToken();
  const wrong = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`;
  await expect(read(`Bearer ${wrong}`)).rejects.toMatchObject({ code: 'ACCESS_TOKEN_INVALID' });
  await expect(read(`Bearer ${token}`)).rejects.toThrow('the database was read');
});

test.each([undefined, '', 'Beare undefined', 'Beare eyJ.eyJ.sig', 'Bearer moye', 'Basic bW95ZV9wYXRf'])(
  'the header %j has no access token',
  async (header) => {
    expect(await read(header)).toBeNull();
  },
);
