import { createConfig, lintFromString } from '@redocly/openapi-core';
import { inspectRoutes } from 'hono/dev';
import { describe, expect, test } from 'vitest';
import { calls, type CallName } from '../../../src/lib/contract/calls/calls.ts';
import type { Call } from '../../../src/lib/contract/calls/call.ts';
import { operationsOf } from '../../../src/components/api/operations.ts';
import { apiDocument, type Operation } from '../../../src/lib/contract/openapi/document.ts';
import { fieldsName, type JsonSchema } from '../../../src/lib/contract/openapi/schemas.ts';
import { BOUNDS } from '../../../src/lib/contract/rules/bounds.ts';
import { isProtocolPath } from '../../../src/lib/contract/rules/paths.ts';
import { createRoutes } from '../../../src/lib/server/api/api.ts';
import { createLog } from '../../../src/lib/server/shared/log.ts';
import type { Services } from '../../../src/lib/server/services.ts';

const document = apiDocument();
const { schemas } = document.components;

const operations = operationsOf(document).map(({ place, operation }) => ({ ...place, operation }));
const fieldsOf = (name: CallName): JsonSchema => schemas[fieldsName(name)] ?? {};
const all = Object.entries(calls) as [CallName, Call][];

test('describes exactly the routes that the server has under /api', () => {
  const routes = createRoutes({
    // The routes are declared without calling a service.
    services: new Proxy({}, { get: () => ({}) }) as Services,
    pageCache: null,
    limiter: { consume: () => Promise.resolve() },
    log: createLog('silent'),
    origins: [],
    site: { origin: 'http://localhost', timeZone: 'UTC' },
  });
  const served = inspectRoutes(routes)
    .filter(({ isMiddleware, path }) => !isMiddleware && path.startsWith('/api/') && !isProtocolPath(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')}`);
  expect(served.length).toBeGreaterThan(150);
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    [...new Set(served)].toSorted(),
  );
});

test('has every call of the contract at its place, with a summary of its own', () => {
  const found = new Map<string, { method: string; path: string; operation: Operation }>(
    operations.map((each) => [each.operation.operationId, each]),
  );
  const places = all.map(([name]) => [found.get(name)?.method, found.get(name)?.path]);
  expect(places).toEqual(all.map(([, { method, path }]) => [method, path]));
  expect(found.size).toBe(operations.length);
  const summaries = operations.map(({ operation }) => operation.summary);
  expect(summaries.filter((summary, at) => summaries.indexOf(summary) !== at)).toEqual([]);
});

test('requires a token where the call requires a sign-in', () => {
  const isOpen = ({ security }: Operation) => security.some((way) => Object.keys(way).length === 0);
  const open = operations
    .filter(({ operation }) => isOpen(operation))
    .map(({ operation }) => operation.operationId);
  const optional = all.filter(([, { auth }]) => auth === 'optional').map(([name]) => name);
  expect(open).toEqual(expect.arrayContaining(optional));
  expect(open.filter((id) => id in calls).toSorted()).toEqual(optional.toSorted());
});

const objectsIn = (schema: unknown): JsonSchema[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema ? [schema as JsonSchema, ...inner] : inner;
};

test('names a field by its own label', () => {
  const { uses, days } = (schemas['InvitationAddFields']?.properties ?? {}) as Record<string, JsonSchema>;
  expect([uses?.title, days?.title]).toEqual(['可用次数', '有效天数']);
  expect(schemas['Invitation']?.properties?.['uses']).toMatchObject({ title: '用过几次' });
});

test('names every field in Chinese', () => {
  const unnamed = Object.entries({ ...schemas, ...document.paths }).flatMap(([owner, part]) =>
    objectsIn(part).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, field]) =>
        typeof field === 'object' &&
        field.title === undefined &&
        field.const === undefined &&
        !isEnvelope(name)
          ? [`${owner}.${name}`]
          : [],
      ),
    ),
  );
  expect(unnamed).toEqual([]);
});

const isEnvelope = (name: string) => name === 'data' || name === 'error';

describe('the fields of', () => {
  test.each(all)('%s are required as the call requires them', (name, { input }) => {
    const { required = [], properties = {} } = fieldsOf(name);
    // A draft may lack each of its fields, but not all.
    const least = name === 'articleCreate' ? { status: 'draft', title: '诗' } : {};
    const refused = new Set(input.safeParse(least).error?.issues.map(({ path }) => String(path[0])));
    const shown = Object.keys(properties).filter((field) => refused.has(field));
    expect(required.toSorted()).toEqual(shown.toSorted());
  });

  const bounded = all.flatMap(([name, call]) =>
    Object.entries(fieldsOf(name).properties ?? {}).flatMap(([field, schema]) =>
      typeof schema === 'object' && schema.maxLength !== undefined
        ? [[`${name}.${field}`, call, field, schema.maxLength] as const]
        : [],
    ),
  );
  const problemOf = ({ input }: Call, field: string, value: unknown) =>
    input.safeParse({ [field]: value }).error?.issues.find(({ path }) => path[0] === field)?.message;
  // Filters ignore bad values.
  const strict = bounded.filter(([, call, field]) => problemOf(call, field, 7) !== undefined);
  test.each(strict)('%s have the bounds of the call', (_, call, field, most) => {
    const tooLong = problemOf(call, field, 'a'.repeat(most + 1));
    expect(tooLong).toBeDefined();
    expect(problemOf(call, field, 'a'.repeat(most))).not.toBe(tooLong);
  });

  test('an article are those of the contract', () => {
    expect(fieldsOf('articleCreate').properties).toMatchObject({
      title: { type: 'string', title: '标题', maxLength: BOUNDS.title[1] },
      content: { type: 'string', maxLength: BOUNDS.content[1] },
      tags: { type: 'array', maxItems: BOUNDS.tags[1], items: { minLength: 1, maxLength: BOUNDS.tag[1] } },
      secret: { type: 'boolean' },
      status: { enum: ['normal', 'draft'], default: 'normal' },
    });
    expect(fieldsOf('articleEdit').required).toEqual(['id']);
    expect(fieldsOf('articleList').required).toBeUndefined();
  });
});

test('has no error that a linter finds', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ message, location: [at] }) => `${at?.pointer}: ${message}`)).toEqual([]);
});
