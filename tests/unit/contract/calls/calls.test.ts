import { assertType, expect, test } from 'vitest';
import { signedIn, staff, write } from '../../../../src/lib/contract/calls/call.ts';
import { calls, type Routes } from '../../../../src/lib/contract/calls/calls.ts';
import { routes } from '../../../../src/lib/contract/routes.generated.ts';
import type { Handlers } from '../../../../src/lib/server/api/handler.ts';

test('a call without a route, a route without a call, and another route than declared are type errors', () => {
  const { signin, ...others } = routes;
  assertType<Routes>({ ...others, signin });
  // @ts-expect-error signin is declared
  assertType<Routes>(others);
  // @ts-expect-error there is no such call
  assertType<Routes>({ ...routes, signinTwice: signin });
  // @ts-expect-error that is the route of another call
  assertType<Routes>({ ...routes, signin: routes.signup });
});

test('routes.generated.ts is up to date; `npm run format` writes it', () => {
  expect(routes).toEqual(
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, [call.method, call.path]])),
  );
});

test('a call of users that writes and does not declare which texts is a type error', () => {
  const { writes } = write(signedIn(), 'POST /api/none', '无', { writes: [] });
  write(staff('tags.manage'), 'POST /api/none', '无', {});
  // @ts-expect-error it writes, perhaps a public text
  write(signedIn(), 'POST /api/none', '无', {});
  // @ts-expect-error there is no such text
  write(signedIn(), 'POST /api/none', '无', { writes: ['user.password'] });
  expect(writes).toEqual([]);
});

test('a call without a handler, and a handler without a call, are type errors', () => {
  const allTags: Handlers['allTags'] = () => Promise.resolve([]);
  assertType<Partial<Handlers>>({ allTags });
  // @ts-expect-error the other calls are answered too
  assertType<Handlers>({ allTags });
  // @ts-expect-error there is no such call
  assertType<Partial<Handlers>>({ allTags, allTagsTwice: allTags });
  // @ts-expect-error it answers a number, the call tells names
  assertType<Partial<Handlers>>({ allTags: () => Promise.resolve([7]) });
  expect(allTags).toBeTypeOf('function');
});

test('no two calls share a method and path', () => {
  const places = Object.values(calls).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(places).size).toBe(places.length);
});

test('each call declares its body type and size limit', () => {
  const bodies = Object.entries(calls).map(([name, { body }]) => [name, `${body.kind} ${body.most}`]);
  const large = bodies.filter(([, body]) => body !== 'fields 262144');
  expect(Object.fromEntries(large)).toEqual({
    articleCreate: 'fields 33554432',
    articleEdit: 'fields 33554432',
    revisionSave: 'fields 33554432',
    siteLogo: 'fields 4194304',
    wordAdd: 'fields 4194304',
    wordImport: 'fields 16777216',
    wordTrial: 'fields 4194304',
    wordPreview: 'fields 16777216',
    uploadAvatar: 'fields 33554432',
    uploadImage: 'file 16842752',
  });
});
