import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openServer, outcome, refused, type Answer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: '1' });
});
afterAll(() => server?.close());

/** Calls from `address` through a trusted proxy. */
const ask = (path: string, fields: Record<string, string>, address: string): Promise<Answer> =>
  server.send(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'X-Forwarded-For': address },
  });

type ServiceCall = (...parts: unknown[]) => Promise<unknown>;

/**
 * Blocks calls of `service[name]` until the test releases them; lists argument number `argument` of each
 * started call.
 */
function gate(service: Record<string, ServiceCall>, name: string, argument: number) {
  const begun: unknown[] = [];
  const open = Promise.withResolvers<void>();
  const run = service[name];
  if (!run) throw new Error(`there is no ${name}`);
  service[name] = async (...parts) => {
    begun.push(parts[argument]);
    await open.promise;
    return run(...parts);
  };
  return { begun, open: () => open.resolve(), [Symbol.dispose]: () => void (service[name] = run) };
}

describe('calls that are not cached', () => {
  test.each([
    ['/api/page/feed', 'feeds', 'find', 1, (name: string) => ({ kind: 'user', name })],
    ['/api/page/suggest', 'articles', 'suggest', 0, (q: string) => ({ q })],
    ['/api/page/searchpage', 'articles', 'search', 0, (keywords: string) => ({ keywords })],
    ['/api/user/detail', 'users', 'detail', 0, (username: string) => ({ username })],
  ] as const)(
    '%s: eight of an address run at once, and another address goes first',
    async (path, of, name, at, fields) => {
      using gated = gate(server.app.services[of] as unknown as Record<string, ServiceCall>, name, at);
      const flood = Array.from({ length: 40 }, (_, index) => ask(path, fields(`众${index}`), '198.51.100.7'));
      await eventually(() => expect(gated.begun).toHaveLength(8));
      const other = ask(path, fields('独'), '198.51.100.8');
      await eventually(() => expect(gated.begun).toHaveLength(9));
      expect(gated.begun.at(-1)).toBe('独');
      gated.open();
      expect((await other).status).toBe(200);
      await Promise.all(flood);
    },
  );
});

describe('a body of JSON', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await server.join('裴迪'));
  });
  const save = (content: unknown) =>
    server.json('/api/page/new', { title: '竹里馆', content, status: 'draft' }, token);

  test('that is large and holds more values than any call needs is refused before it is parsed', async () => {
    expect(outcome(await save(Array(100_000).fill(0)))).toEqual(refused('字段过多，最多 10000 个', 413));
  });

  test('that is large because of one text is accepted', async () => {
    expect(outcome(await save(',[{ '.repeat(40_000)))).toMatchObject({ status: 200, code: 'OK' });
  });

  test('that is small is accepted whatever it holds', async () => {
    expect(outcome(await save(Array(20_000).fill(0)))).toEqual(refused('正文应为文本'));
  });
});
