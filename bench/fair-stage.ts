import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Target } from './attacks.ts';
import { articleIds, ask, signIn } from './client.ts';
import { calls } from '../src/lib/contract/calls/calls.ts';
import { scopesFor } from '../src/lib/contract/rules/scopes.ts';
import { serveProduct, type Served } from './processes.ts';
import { author } from './seed.ts';

const ATTACK = fileURLToPath(new URL('./attacks.ts', import.meta.url));
/** File with the id of the article that has many comments. */
export const STAGE_MARK = 'stage';
const WARM_UP_MS = 2_000;
const READ_INTERVAL_MS = 10;
const SAVE_INTERVAL_MS = 50;
/**
 * Number of client addresses, large enough that the measurement itself hits no limit. The attacker uses
 * 127.0.0.1.
 */
const ADDRESSES = 200;

/** Milliseconds of each read and each save. */
export interface Times {
  read: number[];
  save: number[];
  /** Requests that did not get the expected response. */
  failed: string[];
}

export interface Outcome {
  alone: Times;
  attacked: Times;
  /** Peak growth of the server's memory in megabytes. */
  growth: number;
  answers: string;
}

/** Runs `work` against a warm server on a copy of `seed`, at default limits unless `env` differs. */
export async function onStage<T>(
  seed: string,
  folder: string,
  work: (stage: Stage) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(seed, folder, { recursive: true });
  const server = await serveProduct(folder, { RATE_LIMIT: 'on', ...env }, '/healthz', 'any');
  try {
    const stage = await setStage(server, readFileSync(join(seed, STAGE_MARK), 'utf8'));
    await measure(stage, WARM_UP_MS);
    return await work(stage);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures the other users for `ms` while the attack `name` runs; `idle` is the memory from which growth is
 * counted.
 */
export async function measureUnder(
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

export interface Stage {
  server: Served;
  target: Target;
  /** Token of the author who saves the draft. */
  token: string;
  draft: Record<string, string>;
  agents: Agent[];
}

/** Renews the tokens of the attacker and the author, which last a quarter of an hour. */
export async function signInAgain(stage: Stage): Promise<void> {
  const tokens = await Promise.all(
    [0, 1].map((index) => signIn(stage.server, author(index).username, author(index).password)),
  );
  [stage.target.token = '', stage.token = ''] = tokens;
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
  const { username, password } = author(0);
  const wanted = { name: '程序', days: '30', password, ...scopeFields() };
  const { token: program } = await ask<{ token: string }>(
    server,
    calls.accessTokenCreate.path,
    wanted,
    attackers,
  );
  const { refresh_token: refresh } = await ask<{ refresh_token: string }>(server, calls.signin.path, {
    username,
    password,
  });
  const target = { url: server.url, token: attackers, refresh, username, program, commented, articles };
  return { server, target, token, draft: { id, ...fields }, agents };
}

/** Every scope that an author may choose. */
const scopeFields = (): Record<string, string> =>
  Object.fromEntries(scopesFor(undefined).map((scope, at) => [`scopes[${at}]`, scope]));

/**
 * Uploads a picture. The first one after a start loads the image library, which must not be part of the
 * measurement.
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
 * Reads cached pages and saves the draft at a steady pace for `ms`, or until `isOver`. Each request starts on
 * time, even while earlier ones are pending.
 */
export async function measure(stage: Stage, ms: number, isOver: () => boolean = () => false): Promise<Times> {
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
  async function pace(every: number, run: (index: number) => Promise<unknown>): Promise<void> {
    const running: Promise<unknown>[] = [];
    const began = performance.now();
    for (let index = 0; index * every < ms && !isOver(); index++) {
      const wait = began + index * every - performance.now();
      if (wait > 0) await delay(wait);
      running.push(run(index));
    }
    await Promise.all(running);
  }
  await Promise.all([
    pace(READ_INTERVAL_MS, async (index) => note('read', await read(index))),
    pace(SAVE_INTERVAL_MS, async (index) => note('save', await save(index))),
  ]);
  return times;
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
export const forgetPeak = ({ pid }: Served): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Peak memory of the server's process in megabytes since `forgetPeak`. */
export function peakOf({ pid }: Served): number {
  const kilobytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}
