import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { createApp } from '../src/lib/server/app.ts';
import { insertComment } from '../src/lib/server/comments/comment-queries.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { newId } from '../src/lib/server/shared/ids.ts';
import { ATTACKS, type Target } from './attacks.ts';
import type { CallName } from '../src/lib/contract/calls/calls.ts';
import { articleIds, ask, signIn } from './client.ts';
import { memoryOf, serveProduct, type Served } from './processes.ts';
import { PUBLIC_CALLS } from './public-calls.ts';
import { author, seeded } from './seed.ts';
import { figureOf, median, quantile, ratioOf, type Row } from './stats.ts';

const ATTACK = fileURLToPath(new URL('./attacks.ts', import.meta.url));
const ROUNDS = 3;
const WARM_UP_MS = 2_000;
const ALONE_MS = 6_000;
const ATTACKED_MS = 12_000;
/** Shorter than for the attacks, because there are forty public calls. */
const CALL_ALONE_MS = 2_000;
const CALL_FLOODED_MS = 4_000;
const COMMENTS = 4_000;
const READ_EVERY_MS = 10;
const SAVE_EVERY_MS = 50;
/**
 * Number of client addresses, large enough that the measurement itself hits no limit. The attacker uses
 * 127.0.0.1.
 */
const ADDRESSES = 200;

/** Milliseconds of each read and each save. */
interface Times {
  read: number[];
  save: number[];
  /** Requests that did not get the expected response. */
  failed: string[];
}

interface Outcome {
  alone: Times;
  attacked: Times;
  /** Peak growth of the server's memory in megabytes. */
  growth: number;
  answers: string;
}

/**
 * Section `fair`: how long a reader and an author who saves a draft wait at default limits, alone and while
 * one other account or address attacks, and how much memory the attack costs. Then the same for every public
 * call of the contract, flooded up to its limit. `only` selects one attack or call.
 */
export async function benchFair(data: string, corpus: string, only?: string): Promise<Row[]> {
  const folder = await withComments(await seeded('few', data, corpus), join(data, 'fair'));
  const rows: Row[] = [];
  for (const name of ATTACKS.filter((each) => only === undefined || each === only)) {
    const outcomes: Outcome[] = [];
    for (let round = 0; round < ROUNDS; round++)
      outcomes.push(await attack(name, folder, join(data, 'fair-run')));
    rows.push(...report(name, outcomes));
  }
  const flooded = PUBLIC_CALLS.filter((each) => only === undefined || each === only);
  if (flooded.length > 0) rows.push(...(await floodAll(flooded, folder, join(data, 'fair-run'))));
  return rows;
}

/**
 * Floods the calls one after another, each from a different address; reports the worst value of each figure.
 */
async function floodAll(names: readonly CallName[], seed: string, folder: string): Promise<Row[]> {
  const outcomes: (Outcome & { name: CallName })[] = [];
  await onStage(seed, folder, async (stage) => {
    for (const [index, name] of names.entries()) {
      const alone = await measure(stage, CALL_ALONE_MS);
      const idle = memoryOf(stage.server);
      const target = { ...stage.target, from: `127.0.2.${index + 1}` };
      outcomes.push({
        name,
        alone,
        ...(await measureUnder(name, { ...stage, target }, CALL_FLOODED_MS, idle)),
      });
      const { attacked, growth, answers } = outcomes.at(-1) as Outcome;
      const p99 = (times: number[]) => quantile(times, 0.99).toFixed(0);
      const waits = `read ${p99(alone.read)} → ${p99(attacked.read)} ms, save ${p99(alone.save)} → ${p99(attacked.save)} ms`;
      process.stdout.write(`${name}: ${waits}, ${growth.toFixed(0)} MB, ${answers}\n`);
    }
  });
  const worst = (what: string, goal: number, unit: string, of: (outcome: Outcome) => number): Row => {
    const figures = outcomes.map((outcome) => of(outcome));
    const most = Math.max(...figures);
    const note = `worst: ${outcomes[figures.indexOf(most)]?.name}; median ${median(figures).toFixed(1)}`;
    return { what, ratio: most, spread: [Math.min(...figures), most], goal: { atMost: goal }, unit, note };
  };
  const p99 = (times: number[]) => quantile(times, 0.99);
  const calls = `each of ${names.length} public calls flooded`;
  return [
    worst(
      `${calls}: a reader, p99 under attack / alone`,
      5,
      '×',
      (o) => p99(o.attacked.read) / p99(o.alone.read),
    ),
    worst(`${calls}: a reader, p99 under attack`, 200, 'ms', (o) => p99(o.attacked.read)),
    worst(
      `${calls}: another author's draft, p99 under attack / alone`,
      5,
      '×',
      (o) => p99(o.attacked.save) / p99(o.alone.save),
    ),
    worst(`${calls}: another author's draft, p99 under attack`, 200, 'ms', (o) => p99(o.attacked.save)),
    worst(`${calls}: peak memory above idle`, 300, 'MB', (o) => o.growth),
    worst(
      `${calls}: failed requests of other clients`,
      0,
      'requests',
      (o) => o.alone.failed.length + o.attacked.failed.length,
    ),
  ];
}

function report(name: string, outcomes: Outcome[]): Row[] {
  const p99 = (of: 'alone' | 'attacked', what: 'read' | 'save') =>
    outcomes.map((outcome) => quantile(outcome[of][what], 0.99));
  const rows = (['read', 'save'] as const).flatMap((what): Row[] => {
    const who = what === 'read' ? 'a reader' : "another author's draft";
    return [
      {
        what: `${name}: ${who}, p99 under attack / alone`,
        ...ratioOf(p99('attacked', what), p99('alone', what)),
        goal: { atMost: 5 },
        note: `alone ${median(p99('alone', what)).toFixed(1)} ms`,
      },
      {
        what: `${name}: ${who}, p99 under attack`,
        ...figureOf(p99('attacked', what)),
        goal: { atMost: 200 },
        unit: 'ms',
      },
    ];
  });
  const memory: Row = {
    what: `${name}: peak memory above idle`,
    ...figureOf(outcomes.map(({ growth }) => growth)),
    goal: { atMost: 300 },
    unit: 'MB',
    note: `responses to the attacker: ${outcomes.at(-1)?.answers}`,
  };
  const failed = outcomes.flatMap(({ alone, attacked }) => [...alone.failed, ...attacked.failed]);
  const failures: Row = {
    what: `${name}: failed requests of other clients`,
    ratio: failed.length,
    spread: [failed.length, failed.length],
    goal: { atMost: 0 },
    unit: 'requests',
    ...(failed[0] && { note: failed[0] }),
  };
  return [...rows, memory, failures];
}

/** Runs `work` against a warm server on a copy of `seed`. */
async function onStage<T>(seed: string, folder: string, work: (stage: Stage) => Promise<T>): Promise<T> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(seed, folder, { recursive: true });
  const server = await serveProduct(folder, { RATE_LIMIT: 'on' }, '/healthz', 'any');
  try {
    const stage = await setStage(server, readFileSync(join(seed, 'commented'), 'utf8'));
    await measure(stage, WARM_UP_MS);
    return await work(stage);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const attack = (name: string, seed: string, folder: string): Promise<Outcome> =>
  onStage(seed, folder, async (stage) => {
    const alone = await measure(stage, ALONE_MS);
    return { alone, ...(await measureUnder(name, stage, ATTACKED_MS, memoryOf(stage.server))) };
  });

/**
 * Measures the other users for `ms` while the attack `name` runs; `idle` is the memory from which growth is
 * counted.
 */
async function measureUnder(
  name: string,
  stage: Stage,
  ms: number,
  idle: number,
): Promise<Omit<Outcome, 'alone'>> {
  forgetPeak(stage.server);
  const [program, ...args] = ['nice', process.execPath, ATTACK, name, JSON.stringify(stage.target)];
  const attacker = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let answers = '';
  attacker.stdout.setEncoding('utf8').on('data', (text: string) => (answers += text));
  const attacked = await measure(stage, ms);
  const growth = peakOf(stage.server) - idle;
  attacker.kill('SIGTERM');
  await once(attacker, 'close');
  return { attacked, growth, answers };
}

interface Stage {
  server: Served;
  target: Target;
  token: string;
  draft: Record<string, string>;
  agents: Agent[];
}

async function setStage(server: Served, commented: string): Promise<Stage> {
  const tokens = await Promise.all(
    [0, 1].map((index) => signIn(server, author(index).username, author(index).password)),
  );
  const [attackers = '', token = ''] = tokens;
  const articles = await articleIds(server);
  await uploadOnce(server, token);
  const fields = { title: '草稿', content: '落霞与孤鹜齐飞，秋水共长天一色。'.repeat(100), status: 'draft' };
  const { id } = await ask<{ id: string }>(server, '/api/page/new', fields, token);
  const agents = Array.from(
    { length: ADDRESSES },
    (_, index) => new Agent({ keepAlive: true, maxSockets: 4, localAddress: `127.0.1.${index + 1}` }),
  );
  const target = { url: server.url, token: attackers, commented, articles };
  return { server, target, token, draft: { id, ...fields }, agents };
}

/**
 * The first picture after a start loads the image library. Loading it here keeps it out of the measurement.
 */
async function uploadOnce({ url }: Served, token: string): Promise<void> {
  const create = { width: 64, height: 64, channels: 3, background: 'teal' } as const;
  const body = new FormData();
  body.set('file', new Blob([Uint8Array.from(await sharp({ create }).png().toBuffer())]), 'a.png');
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/file/uploadImage`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the first picture was answered ${answer.status}`);
}

/**
 * Reads cached pages and saves the draft at a steady pace for `ms`. Each request starts on time, even while
 * earlier ones are pending.
 */
async function measure(stage: Stage, ms: number): Promise<Times> {
  const { server, target, token, draft, agents } = stage;
  const times: Times = { read: [], save: [], failed: [] };
  const under = (index: number) => agents[index % agents.length] ?? new Agent();
  const pages = ['/home', '/tag/list', ...target.articles.slice(0, 8).map((id) => `/detail/${id}`)];
  const read = (index: number) =>
    answered({ url: server.url + pages[index % pages.length], agent: under(index) });
  const save = (index: number) => {
    const body = new URLSearchParams({ ...draft, content: `${draft['content']}${index}` }).toString();
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    return answered({ url: `${server.url}/api/page/edit`, agent: under(index), headers, body });
  };
  const note = (what: 'read' | 'save', took: number | string) =>
    typeof took === 'number' ? times[what].push(took) : times.failed.push(took);
  await Promise.all([
    pace(ms, READ_EVERY_MS, async (index) => note('read', await read(index))),
    pace(ms, SAVE_EVERY_MS, async (index) => note('save', await save(index))),
  ]);
  return times;
}

async function pace(ms: number, every: number, run: (index: number) => Promise<unknown>): Promise<void> {
  const running: Promise<unknown>[] = [];
  const began = performance.now();
  for (let index = 0; index * every < ms; index++) {
    const wait = began + index * every - performance.now();
    if (wait > 0) await delay(wait);
    running.push(run(index));
  }
  await Promise.all(running);
}

interface Request {
  url: string;
  agent: Agent;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Resolves to the milliseconds until the response is complete, or to the reason why it failed: the status
 * must be 200 and the envelope of a call must say OK.
 */
async function answered({ url, agent, headers = {}, body }: Request): Promise<number | string> {
  const started = performance.now();
  try {
    const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat((await answer.toArray()) as Buffer[]).toString();
    const isFine = answer.statusCode === 200 && (body === undefined || text.startsWith('{"code":"OK"'));
    return isFine
      ? performance.now() - started
      : `${url} answered ${answer.statusCode}: ${text.slice(0, 100)}`;
  } catch (error) {
    return `${url}: ${(error as Error).message}`;
  }
}

/** Resets the process's peak memory (Linux only). */
const forgetPeak = ({ pid }: Served): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Peak memory of the server's process in megabytes since `forgetPeak`. */
function peakOf({ pid }: Served): number {
  const kilobytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

/**
 * Returns a copy of the seeded database in `folder` with an article that has many comments; the file
 * `commented` holds that article's id.
 */
async function withComments(seed: string, folder: string): Promise<string> {
  const mark = join(folder, 'commented');
  const stamp = readFileSync(join(seed, 'seeded'), 'utf8');
  const isKept = existsSync(mark) && readFileSync(join(folder, 'seeded'), 'utf8') === stamp;
  if (isKept) return folder;
  rmSync(folder, { recursive: true, force: true });
  cpSync(seed, folder, { recursive: true });
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }));
  try {
    const list = await app.services.articles.list({ of: 'public' }, { page: 2, pageSize: 1 });
    const article = list.result[0];
    const speakers = await Promise.all(
      [2, 3].map((index) => app.services.users.find(author(index).username)),
    );
    if (!article || speakers.includes(null)) throw new Error('the seeded database has no second article');
    await app.db.write(async (trx) => {
      let reply_comment_id: string | null = null;
      for (let index = 0; index < COMMENTS; index++) {
        const id = newId();
        const said = {
          id,
          article_id: article.id,
          author_id: speakers[index % 2]?._id ?? '',
          content: '言'.repeat(2_000),
          reply_user_id: speakers[(index + 1) % 2]?._id ?? null,
          reply_comment_id,
          create_time: Date.UTC(2026, 0, 1) + index * 1000,
          request_id: null,
          edit_time: null,
          mentions: '',
        };
        await insertComment(trx, said, []);
        reply_comment_id = id;
      }
    });
    writeFileSync(mark, article.id);
  } finally {
    await app.close();
  }
  return folder;
}
