import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clean } from '../tests/clean-texts.ts';
import { createApp } from '../src/lib/server/app.ts';
import { insertComment } from '../src/lib/server/comments/comment-queries.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { newId } from '../src/lib/server/shared/ids.ts';
import { ATTACKS } from './attacks.ts';
import { HEAVY } from './heavy-requests.ts';
import type { CallName } from '../src/lib/contract/calls/calls.ts';
import { memoryOf } from './processes.ts';
import { PUBLIC_CALLS } from './public-calls.ts';
import { author, seeded } from './seed.ts';
import { measure, measureUnder, onStage, type Outcome } from './fair-stage.ts';
import { figureOf, median, quantile, ratioOf, type Row } from './stats.ts';

const ROUNDS = 3;
const ALONE_MS = 6_000;
const ATTACKED_MS = 12_000;
/** Shorter than for the attacks, because there are forty public calls. */
const CALL_ALONE_MS = 2_000;
const CALL_FLOODED_MS = 4_000;
const COMMENTS = 4_000;
const STALL_MS = 2_000;
const MAX_STALL_MS = 100;
const BURST = 300;
const LARGEST = 60;

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
  if (only === undefined || only === 'stalls')
    rows.push(...(await stallAll(HEAVY, folder, join(data, 'fair-run'))));
  return rows;
}

/**
 * Measures readers of cached pages while one request of each kind is answered, and while 300 of one address
 * are; then the memory after 60 of each of the largest kinds.
 */
async function stallAll(kinds: readonly string[], seed: string, folder: string): Promise<Row[]> {
  const found: { kind: string; longest: number; p99: number }[] = [];
  let memory = 0;
  await onStage(seed, folder, async (stage) => {
    const alone = await measure(stage, ALONE_MS);
    const [longestAlone, p99Alone] = [Math.max(...alone.read), quantile(alone.read, 0.99)];
    for (const [index, kind] of kinds.entries()) {
      const target = { ...stage.target, from: `127.0.3.${index + 1}` };
      const under = async (requests: number) =>
        (await measureUnder(`${requests} × ${kind}`, { ...stage, target }, STALL_MS, 0)).attacked.read;
      const longest = Math.max(...(await under(1))) / Math.max(MAX_STALL_MS / 10, longestAlone);
      const p99 = quantile(await under(BURST), 0.99) / p99Alone;
      await under(LARGEST);
      memory = Math.max(memory, memoryOf(stage.server));
      found.push({ kind, longest, p99 });
      process.stdout.write(
        `${kind}: longest ${longest.toFixed(1)} ×, p99 ${p99.toFixed(1)} ×, ${memory.toFixed(0)} MB\n`,
      );
    }
  });
  const worst = (what: string, of: 'longest' | 'p99'): Row => {
    const figures = found.map((each) => each[of]);
    const most = Math.max(...figures);
    const note = `worst: ${found[figures.indexOf(most)]?.kind}; median ${median(figures).toFixed(1)}`;
    return { what, ratio: most, spread: [Math.min(...figures), most], goal: { atMost: 10 }, unit: '×', note };
  };
  return [
    worst(
      `one request of each of ${kinds.length} kinds: longest wait of a reader / alone, or 10 ms`,
      'longest',
    ),
    worst(`${BURST} requests of one address: a reader, p99 / alone`, 'p99'),
    {
      what: `memory after ${LARGEST} requests of each kind`,
      ratio: memory,
      spread: [memory, memory],
      goal: { atMost: 450 },
      unit: 'MB',
    },
  ];
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

const attack = (name: string, seed: string, folder: string): Promise<Outcome> =>
  onStage(seed, folder, async (stage) => {
    const alone = await measure(stage, ALONE_MS);
    return { alone, ...(await measureUnder(name, stage, ATTACKED_MS, memoryOf(stage.server))) };
  });

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
          content: clean('言'.repeat(2_000)),
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
