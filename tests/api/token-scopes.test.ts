import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/lib/contract/calls/call.ts';
import { calls, type CallName } from '../../src/lib/contract/calls/calls.ts';
import { FILE_ROUTES } from '../../src/lib/contract/rules/file-routes.ts';
import { may, type Role } from '../../src/lib/contract/rules/permissions.ts';
import { SCOPE_NAMES, type Scope } from '../../src/lib/contract/rules/scopes.ts';
import { done, openServer, PASSWORD, type Answer, type TestServer } from './server.ts';

/**
 * Access tokens of every role and scope at every call, generated from the contract. `demoted` was an editor
 * when the tokens were made.
 */
const PEOPLE = ['author', 'demoted', 'editor', 'operator'] as const;
type Who = (typeof PEOPLE)[number];
const roleOf = (who: Who): Role => (who === 'demoted' ? 'author' : who);

/** Calls that return a file, or need a refresh token in place of an access token. */
const APART: readonly CallName[] = ['refreshToken', 'avatar'];
/** Routes without an envelope that require a sign-in. */
const scopedRoutes = Object.entries(FILE_ROUTES).flatMap(([name, route]) =>
  'scope' in route ? [{ name, ...route }] : [],
);
const all = (Object.entries(calls) as [CallName, Call][]).filter(([name]) => !APART.includes(name));

let server: TestServer;
/** Token by person and scope; an author has no tokens for staff. */
const tokens = new Map<string, string>();
/** Scopes that each person may choose. */
const offered = new Map<Who, Scope[]>();
const keyOf = (who: Who, scope: Scope | null) => `${who} ${scope}`;

beforeAll(async () => {
  server = await openServer();
  const { roles } = server.app.services;
  for (const who of PEOPLE) {
    const person = await server.join(`人物${who}`);
    const role = who === 'demoted' ? 'editor' : who;
    if (role !== 'author') await roles.set(person.username, role, null);
    const { scopes } = done(await server.post('/api/user/tokens', {}, person.token));
    offered.set(who, scopes);
    for (const scope of scopes) {
      const fields = { name: scope, scopes: [scope], days: 30, password: PASSWORD };
      const { token } = done(await server.post('/api/user/tokens/create', fields, person.token));
      tokens.set(keyOf(who, scope), token);
    }
    if (who === 'demoted') await roles.set(person.username, 'author', null);
  }
});
afterAll(() => server?.close());

const send = ({ method, path }: Call, token: string): Promise<Answer> =>
  method === 'GET' ? server.get(path, token) : server.post(path, {}, token);

function verdictOf({ status, error }: Answer): string {
  if (error === 'SCOPE_MISSING' || error === 'NOT_ALLOWED' || status === 401 || status === 402)
    return error ?? '';
  return status < 500 ? 'asked' : `${status} ${error}`;
}

function expectedOf(call: Call, who: Who, scope: Scope): string {
  if (call.scope !== scope) return call.auth === 'required' ? 'SCOPE_MISSING' : 'asked';
  return call.permission && !may(roleOf(who), call.permission) ? 'NOT_ALLOWED' : 'asked';
}

describe.each(PEOPLE)('a token of the %s', (who) => {
  const isOffered = (scope: Scope) => who !== 'author' || !['moderation', 'site:read'].includes(scope);

  test('has scopes of its role', () => expect(offered.get(who)).toEqual(SCOPE_NAMES.filter(isOffered)));

  test.each(SCOPE_NAMES.filter(isOffered))(
    'with %s reaches exactly the calls of its scope',
    async (scope) => {
      const token = tokens.get(keyOf(who, scope)) ?? '';
      const verdicts: Record<string, string> = {};
      for (const [name, call] of all) verdicts[name] = verdictOf(await send(call, token));
      expect(verdicts).toEqual(
        Object.fromEntries(all.map(([name, call]) => [name, expectedOf(call, who, scope)])),
      );
    },
  );

  test.each(SCOPE_NAMES.filter(isOffered))(
    'with %s reaches exactly the files of its scope',
    async (scope) => {
      const headers = { Authorization: `Bearer ${tokens.get(keyOf(who, scope))}` };
      const verdicts: Record<string, string> = {};
      for (const { name, method, path, body } of scopedRoutes.map((route) => ({
        body: undefined,
        ...route,
      }))) {
        const place = path.replace('{path}', body === 'image/*' ? 'a.png' : 'a.md');
        const content = body === undefined ? {} : { body: '# a\n' };
        verdicts[name] = verdictOf(await server.send(place, { method, headers, ...content }));
      }
      expect(verdicts).toEqual(
        Object.fromEntries(
          scopedRoutes.map((route) => [route.name, route.scope === scope ? 'asked' : 'SCOPE_MISSING']),
        ),
      );
      expect(scopedRoutes.length).toBeGreaterThan(4);
    },
  );

  test('is no session: it signs nothing out, renews nothing, and opens no page or socket', async () => {
    const token = tokens.get(keyOf(who, 'articles:read')) ?? '';
    expect((await server.get('/api/signin/refreshToken', token)).error).toBe('SIGNIN_REQUIRED');
    done(await server.post('/api/signout', {}, token));
    expect(verdictOf(await server.post('/api/page/limitpagelist', {}, token))).toBe('asked');
    const page = await server.send('/user/list', { headers: { Cookie: `token=${token}` } });
    expect([page.status, page.headers.get('location')?.split('?')[0]]).toEqual([302, '/signin']);
  });
});

test('without the scope of a public call, a token sees what a visitor sees', async () => {
  const person = { ...(await server.join('分身')), refresh_token: '' };
  const draft = await server.write(person, { title: '草稿', status: 'draft' });
  const make = async (scope: Scope) => {
    const fields = { name: scope, scopes: [scope], days: 1, password: PASSWORD };
    return done(await server.post('/api/user/tokens/create', fields, person.token)).token as string;
  };
  const [reads, others] = [await make('articles:read'), await make('profile:read')];
  const read = async (token: string) => (await server.post('/api/page/detail', { id: draft }, token)).error;
  expect([await read(reads), await read(others)]).toEqual([undefined, 'ARTICLE_NOT_FOUND']);
  const counts = async (token: string) =>
    done(await server.post('/api/signin/getUserInfo', { username: '分身' }, token)).draft_num;
  expect([await counts(reads), await counts(others)]).toEqual([0, 1]);
});
