import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Target } from './attacks.ts';
import { forgetPeak, measure, onStage, peakOf, signInAgain, type Stage } from './fair-stage.ts';
import { HEAVY } from './heavy-requests.ts';
import { memoryOf } from './processes.ts';
import { median, quantile, type Row } from './stats.ts';

const BURST_PROGRAM = fileURLToPath(new URL('./burst.ts', import.meta.url));
const ALONE_MS = 6_000;
const SINGLES = 3;
/** The slowest request is one that is refused after its limit of processor time. */
const MAX_SINGLE_MS = 15_000;
/** Readers are measured this long before and after a single request. */
const MARGIN_MS = 60;
const BURST = 300;
/** Bursts are repeated until they have taken this long, so that enough readers are measured. */
const MIN_BURST_MS = 2_000;
const MAX_BURST_MS = 4_000;
const LARGEST = 60;
const MAX_LARGEST_MS = 60_000;
const MAX_STALL_MS = 100;
const MAX_FACTOR = 10;
const MAX_MEMORY_MB = 450;
const SETTLED_MS = 1_000;
const MAX_DRAIN_MS = 30_000;
const QUICK_MS = 20;

type Answers = Record<string, number>;
type Send = (requests: number) => Promise<void>;

interface Answered {
  kind: string;
  answers: Answers;
}

/** Longest wait of a reader during a single request, and p99 during bursts, in milliseconds. */
interface Waits {
  longest: number;
  p99: number;
}

/** Megabytes during and after the largest requests. */
interface Memory {
  peak: number;
  after: number;
}

/**
 * Measures readers of cached pages while one request of each kind is answered, and while 300 of one address
 * are; then, on a new server, the memory after 60 of each of the largest kinds. `RATE_LIMIT` is off,
 * so all of them are worked on; a kind that is only refused fails.
 */
export async function stallAll(kinds: readonly string[], seed: string, folder: string): Promise<Row[]> {
  const large = kinds.filter((kind) => HEAVY[kind]?.isLarge === true);
  const { alone, waits } = await onStage(seed, folder, measureWaits(kinds), { RATE_LIMIT: 'off' });
  const memories = await onStage(seed, folder, measureMemories(large), { RATE_LIMIT: 'off' });
  return rowsOf(waits, memories, alone);
}

const measureWaits = (kinds: readonly string[]) => async (stage: Stage) => {
  const { read } = await measure(stage, ALONE_MS);
  const alone = { longest: Math.max(...read), p99: quantile(read, 0.99) };
  process.stdout.write(`alone: longest ${ms(alone.longest)}, p99 ${ms(alone.p99)}\n`);
  const waits = await ofEach(kinds, stage, (send) => measureReaders(stage, send));
  return { alone, waits };
};

const measureMemories = (kinds: readonly string[]) => (stage: Stage) =>
  ofEach(kinds, stage, (send) => measureMemory(stage, send));

/** Measures kinds one after another, each from a different address. */
async function ofEach<T extends object>(
  kinds: readonly string[],
  stage: Stage,
  work: (send: Send) => Promise<T>,
): Promise<(T & Answered)[]> {
  const found: (T & Answered)[] = [];
  for (const [index, kind] of kinds.entries()) {
    await signInAgain(stage);
    const target = { ...stage.target, from: `127.0.3.${index + 1}` };
    const answers: Answers = {};
    const figures = await withClient(stage, kind, { target, answers }, work);
    found.push({ kind, answers, ...figures });
    process.stdout.write(`${kind}: ${JSON.stringify({ ...figures, answers }, rounded)}\n`);
  }
  return found;
}

const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(1)) : value);
const ms = (time: number): string => `${time.toFixed(1)} ms`;

async function measureReaders(stage: Stage, send: Send): Promise<Waits> {
  const longest: number[] = [];
  for (let single = 0; single < SINGLES; single++) {
    const times = await readersWhile(stage, MAX_SINGLE_MS, async () => {
      await delay(MARGIN_MS);
      await send(1);
      await delay(MARGIN_MS);
    });
    longest.push(Math.max(...times));
  }
  const began = performance.now();
  const times = await readersWhile(stage, MAX_BURST_MS, async () => {
    while (performance.now() - began < MIN_BURST_MS) await send(BURST);
  });
  return { longest: Math.max(...longest), p99: quantile(times, 0.99) };
}

async function measureMemory({ server }: Stage, send: Send): Promise<Memory> {
  forgetPeak(server);
  await Promise.race([send(LARGEST), delay(MAX_LARGEST_MS)]);
  const peak = peakOf(server);
  await delay(SETTLED_MS);
  return { peak, after: memoryOf(server) };
}

/** Returns the waiting times of readers until `work` is done, or for at most `mostMs`. */
async function readersWhile(stage: Stage, mostMs: number, work: () => Promise<void>): Promise<number[]> {
  let isDone = false;
  const ended = () => {
    isDone = true;
  };
  work().then(ended, ended);
  return (await measure(stage, mostMs, () => isDone)).read;
}

/** Waits until requests are answered at once. */
async function drained({ server }: Stage): Promise<void> {
  const deadline = performance.now() + MAX_DRAIN_MS;
  for (let quick = 0; quick < 5 && performance.now() < deadline;) {
    const started = performance.now();
    await (await fetch(`${server.url}/healthz`)).arrayBuffer();
    quick = performance.now() - started < QUICK_MS ? quick + 1 : 0;
    await delay(QUICK_MS);
  }
}

/** Runs `work` with a program that sends numbered requests; `answers` collects the answers. */
async function withClient<T>(
  stage: Stage,
  kind: string,
  { target, answers }: { target: Target; answers: Answers },
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const [program, ...args] = ['nice', process.execPath, BURST_PROGRAM, kind, JSON.stringify(target)];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let next = 0;
  const send = async (requests: number): Promise<void> => {
    child.stdin.write(`${requests} ${next}\n`);
    next += requests;
    const { value } = await lines.next();
    for (const [answer, count] of Object.entries(JSON.parse(value ?? '{}') as Answers))
      answers[answer] = (answers[answer] ?? 0) + count;
  };
  try {
    // Until the program is loaded.
    await send(0);
    return await work(send);
  } finally {
    child.kill('SIGKILL');
    await drained(stage);
  }
}

function rowsOf(
  found: readonly (Waits & Answered)[],
  large: readonly (Memory & Answered)[],
  alone: Waits,
): Row[] {
  const refused = found.filter(({ kind, answers }) => !(answers[HEAVY[kind]?.answer ?? 'OK'] ?? 0));
  const least = Math.max(MAX_STALL_MS / MAX_FACTOR, alone.longest);
  const single = `one request of each of ${found.length} kinds: longest wait of a reader`;
  const many = `${BURST} requests of one address: a reader, p99`;
  const memory = `${LARGEST} of the largest requests of each of ${large.length} kinds: memory`;
  const rows: Row[] = [
    worst(`${single} / alone, or 10 ms`, found, ({ longest }) => longest / least, {
      atMost: MAX_FACTOR,
      unit: '×',
    }),
    worst(`${single} (alone ${ms(alone.longest)})`, found, ({ longest }) => longest, { unit: 'ms' }),
    worst(`${many} / alone`, found, ({ p99 }) => p99 / alone.p99, { atMost: MAX_FACTOR, unit: '×' }),
    worst(`${many} (alone ${ms(alone.p99)})`, found, ({ p99 }) => p99, { unit: 'ms' }),
    worst(`${memory} afterwards`, large, ({ after }) => after, { atMost: MAX_MEMORY_MB, unit: 'MB' }),
    worst(`${memory}, peak`, large, ({ peak }) => peak, { unit: 'MB' }),
    {
      what: 'kinds of which no request was worked on',
      ratio: refused.length,
      spread: [refused.length, refused.length],
      goal: { atMost: 0 },
      unit: 'kinds',
      ...(refused.length > 0 && { note: refused.map(({ kind }) => kind).join(', ') }),
    },
  ];
  return rows.filter(({ ratio }) => Number.isFinite(ratio));
}

/** Reports the worst value of a figure, and names the kinds beyond `atMost`. */
function worst<T extends { kind: string }>(
  what: string,
  found: readonly T[],
  of: (measured: T) => number,
  { atMost, unit }: { atMost?: number; unit: string },
): Row {
  const sorted = found.toSorted((one, other) => of(other) - of(one));
  const figures = sorted.map(of);
  const named = sorted.filter((each, index) => index === 0 || (atMost !== undefined && of(each) > atMost));
  const names = named.map((each) => `${each.kind} ${of(each).toFixed(1)}`).join(', ');
  return {
    what,
    ratio: figures[0] ?? Number.NaN,
    spread: [figures.at(-1) ?? Number.NaN, figures[0] ?? Number.NaN],
    ...(atMost !== undefined && { goal: { atMost } }),
    unit,
    note: `worst: ${names}; median ${median(figures).toFixed(1)}`,
  };
}
