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
import { measure, measureUnder, onStage, STAGE_MARK, type Outcome } from './fair-stage.ts';
import { stallAll } from './fair-stalls.ts';
import { figureOf, median, quantile, ratioOf, type Row } from './stats.ts';

const ROUNDS = 3;
const ALONE_MS = 6_000;
const ATTACKED_MS = 12_000;
/** Shorter than for the attacks, because there are forty public calls. */
const CALL_ALONE_MS = 2_000;
const CALL_FLOODED_MS = 4_000;
const COMMENTS = 4_000;

/**
 * Section `fair`: how long a reader and an author who saves a draft wait at default limits, alone and while
 * one other account or address attacks, and how much memory the attack costs. Then the same for every public
 * call of the contract, flooded up to its limit, and readers during heavy requests. `only` selects one
 * attack, call or kind of heavy request, or `stalls`, the heavy requests.
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
  const kinds = Object.keys(HEAVY).filter((each) => only === undefined || only === 'stalls' || each === only);
  if (kinds.length > 0) rows.push(...(await stallAll(kinds, folder, join(data, 'fair-run'))));
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

const attack = (name: string, seed: string, folder: string): Promise<Outcome> =>
  onStage(seed, folder, async (stage) => {
    const alone = await measure(stage, ALONE_MS);
    return { alone, ...(await measureUnder(name, stage, ATTACKED_MS, memoryOf(stage.server))) };
  });

/**
 * Returns a copy of the seeded database in `folder` with an article that has many comments, whose id the file
 * STAGE_MARK holds, and with the Model Context Protocol allowed.
 */
async function withComments(seed: string, folder: string): Promise<string> {
  const mark = join(folder, STAGE_MARK);
  const stamp = readFileSync(join(seed, 'seeded'), 'utf8');
  const isKept = existsSync(mark) && readFileSync(join(folder, 'seeded'), 'utf8') === stamp;
  if (isKept) return folder;
  rmSync(folder, { recursive: true, force: true });
  cpSync(seed, folder, { recursive: true });
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }));
  try {
    await app.services.options.change({ mcp: true }, null);
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
