import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TEST_MS, WAIT_MS } from '../limits.ts';
import { sitePages } from '../../src/lib/contract/rules/page-list.ts';
import { REFUSALS, type RefusalCode } from '../../src/lib/contract/rules/errors.ts';
import { DEFAULT_OPTIONS } from '../../src/lib/contract/site-options.ts';
import { amount, oneOf, randomFrom, SEED, tally } from '../trial.ts';
import { brokenHttp, problemOfHttp } from './broken-http.ts';
import { brokenRequest } from './broken-requests.ts';
import { everyField, sampleFor, type OddRequest, type Person, type Sample } from './odd-requests.ts';
import { done, openServer, type TestServer } from './server.ts';
import { openWire } from './wire.ts';

/** Numbers of requests to calls, to pages, and of malformed HTTP. */
const [CALLS, PAGES, WIRES] = [
  amount('TRUST_CALLS', 800, 20_000),
  amount('TRUST_PAGES', 200, 2_000),
  amount('TRUST_WIRES', 200, 2_000),
];
const CLIENTS = 8;
const MAX_ATTEMPTS = 20;
const PATIENT = { tags: ['once'], timeout: TEST_MS + (CALLS + PAGES + WIRES) * 40 };

let server: TestServer;
let sample: Sample;
let tokens: Record<Person, string | undefined>;
let joined = 0;
beforeAll(async () => {
  server = await openServer({ QUOTA_STORAGE_MB: '100000' });
  await renew();
  const author = { username: '', token: tokens.author ?? '', refresh_token: '' };
  const create = () => server.post('/api/series/create', { title: '辋川集' }, author.token);
  const series = await patiently(async () => done(await create())._id);
  const id = await patiently(() => server.write(author, { series }));
  const comment = await patiently(async () => (await server.comment(author, id))._id);
  sample = sampleFor({ id, comment, series });
});
afterAll(() => server?.close());

/** Repeats setup until a busy server accepts it. */
const patiently = <T>(work: () => Promise<T>): Promise<T> =>
  vi.waitFor(work, { timeout: WAIT_MS, interval: 500 });

/** Signs in new accounts: a call may have ended a sign-in, banned an account or closed sign-ups. */
async function renew(): Promise<void> {
  await patiently(() => server.app.services.options.change(DEFAULT_OPTIONS, null));
  const join = (name: string) => patiently(() => server.join(`${name}${++joined}`));
  const [operator, author] = [await join('甲'), await join('乙')];
  await patiently(() => server.app.services.roles.set(operator.username, 'operator', null));
  tokens = { operator: operator.token, author: author.token, visitor: undefined };
}

/** Texts that only a fault shows: stacks, source paths, messages of a database. */
const LEAK =
  /\n\s+at |node_modules|node:internal|\/src\/lib\/|SQLITE_|SqliteError|syntax error at|\bpg_|ERR_[A-Z]{3}/;

/** Describes a fault in a response to a call, or returns null. */
async function problemOf(request: OddRequest, answer: Response): Promise<string | null> {
  const { status, headers } = answer;
  const text = await answer.text();
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (LEAK.test(text)) return `leak: ${text.slice(0, 300)}`;
  const { pathname } = new URL(request.path.replaceAll('\\', '/'), server.url);
  if (request.method === 'HEAD' || status === 204 || !pathname.startsWith('/api/')) return null;
  if (!headers.get('content-type')?.startsWith('application/json'))
    return status === 200 || status === 304 ? null : `no envelope: ${status} ${text.slice(0, 200)}`;
  const { code, error, data } = JSON.parse(text) as { code?: string; error?: RefusalCode; data?: unknown };
  if (code === 'OK') return status === 200 ? null : `OK with ${status}`;
  const isRefusal = code === 'ERROR' && error && REFUSALS[error]?.status === status;
  return isRefusal && /\p{Script=Han}/u.test(String(data)) ? null : `${status} ${text.slice(0, 200)}`;
}

/** Sends a request, again while a busy server answers 503 with Retry-After. */
async function ask(request: OddRequest): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(server.url + request.path, { redirect: 'manual', ...request });
    if (answer.status !== 503 || !answer.headers.has('retry-after') || tries === MAX_ATTEMPTS) return answer;
    await answer.text();
    await wait(Math.random() * 500);
  }
}

async function send(request: OddRequest): Promise<string | null> {
  const { path, what, method } = request;
  try {
    const answer = await ask(request);
    if (answer.status === 402 && Object.values(tokens).includes(tokenOf(request))) await renewOnce();
    const problem = await problemOf(request, answer);
    return problem && `${method} ${path.slice(0, 100)} (${what}): ${problem}`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return `${method} ${path.slice(0, 100)} (${what}): ${String(cause)}`;
  }
}

const tokenOf = ({ headers }: OddRequest) => headers['Authorization']?.replace('Beare ', '');

let renewing: Promise<void> | undefined;
function renewOnce(): Promise<void> {
  renewing ??= renew().finally(() => (renewing = undefined));
  return renewing;
}

/** Runs `count` attempts on some concurrent clients; returns their problems. */
async function many(count: number, attempt: (at: number) => Promise<string | null>): Promise<string[]> {
  const problems: string[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const problem = await attempt(next++);
      if (problem) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect((await server.send('/healthz')).status).toBe(200);
  tally('malformed requests', count, problems.length);
  return problems;
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const ranked = list.map((item) => ({ item, rank: random() })).toSorted((a, b) => a.rank - b.rank);
  return ranked.map(({ item }) => item);
}

test('every odd value of every field of every call gets an enveloped response', PATIENT, async () => {
  const random = randomFrom(SEED);
  const makers = shuffled(everyField(), random);
  const count = Math.min(CALLS, makers.length);
  const problems = await many(count, async (at) => {
    const request = makers[at]?.({ tokens, sample, random });
    return request ? await send(request) : null;
  });
  expect(problems.slice(0, 20)).toEqual([]);
});

test('so do malformed bodies, headers and URLs', PATIENT, async () => {
  const random = randomFrom(SEED + 1);
  const problems = await many(Math.ceil(CALLS / 3), () => send(brokenRequest({ tokens, sample, random })));
  expect(problems.slice(0, 20)).toEqual([]);
});

test('odd page requests get pages', PATIENT, async () => {
  const random = randomFrom(SEED + 2);
  const parts = [
    '',
    '%',
    '%00',
    '%ff',
    '..',
    '%2e%2e%2f',
    '\u202e',
    'f'.repeat(24),
    String(sample['id']),
    '-1',
  ];
  const more = [
    '诗',
    '__proto__',
    'a'.repeat(3_000),
    '%F0%9F%8F%94',
    '<b>',
    '1e9',
    "'",
    ';',
    '2026',
    '13',
    '999999',
  ];
  const queries = [
    '',
    '?page=-1',
    '?page=1e309',
    '?sort[]=x',
    '?page=%',
    `?${'a=b&'.repeat(400)}`,
    '?sort=__proto__',
  ];
  const cookies = ['', 'token=%', 'token=eyJ.a.b; user=%E0', `token=${tokens.operator}`, 'a='.repeat(2_000)];
  const problems = await many(PAGES, async () => {
    const { path } = oneOf(sitePages, random);
    const filled = path.replaceAll(/:\w+[*+]?/g, () => encodePart(oneOf([...parts, ...more], random)));
    const request = { what: 'page', path: filled + oneOf(queries, random), method: 'GET' };
    return send({ ...request, headers: { Cookie: oneOf(cookies, random) } });
  });
  expect(problems.slice(0, 20)).toEqual([]);
});

const encodePart = (part: string) => part.replaceAll(/[^ -~]/g, encodeURIComponent);

test('malformed HTTP gets a status or a closed connection', PATIENT, async () => {
  const random = randomFrom(SEED + 3);
  const problems = await many(WIRES, async () => {
    const { bytes, isCall } = brokenHttp(tokens.author ?? '', random);
    const wire = await openWire(server.url);
    wire.socket.end(bytes);
    const problem = problemOfHttp(await wire.closed, isCall);
    return problem && `${JSON.stringify(bytes.toString('latin1').slice(0, 300))}: ${problem}`;
  });
  expect(problems.slice(0, 20)).toEqual([]);
});
