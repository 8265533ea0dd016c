import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createApp, type App } from '../src/lib/server/app.ts';
import type { Viewer } from '../src/lib/server/auth/auth-service.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { figureOf, ratioOf, type Row } from './stats.ts';

const WORDS = 10_000;
const CHARACTERS = 200_000;
const ROUNDS = 7;
/**
 * Very common characters, so beginnings of listed words appear everywhere and the automaton always has
 * partial matches.
 */
const ALPHABET =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经';

interface Desk {
  app: App;
  author: Viewer;
  save(content: string): Promise<void>;
}

/**
 * Section `moderation`: saving an article of 200,000 characters on a site with 10,000 listed words and on a
 * site with none, in turn; and the time of the word search alone.
 */
export async function benchModeration(data: string): Promise<Row[]> {
  const folder = join(data, 'moderation');
  rmSync(folder, { recursive: true, force: true });
  const [listed, free] = [await openDesk(join(folder, 'listed')), await openDesk(join(folder, 'free'))];
  try {
    const words = manyWords();
    await listed.app.services.words.add(words, { category: '', action: 'hold' }, null);
    const filter = await listed.app.services.words.filter();
    const times = { with: [] as number[], without: [] as number[], search: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const content = longText(round, words);
      const taken = {
        with: await timeOf(() => listed.save(content)),
        without: await timeOf(() => free.save(content)),
        search: await processorTimeOf(async () => filter.find(content)),
      };
      // The first round builds the automaton and compiles the code.
      if (round > 0) for (const name of ['with', 'without', 'search'] as const) times[name].push(taken[name]);
    }
    return report(times);
  } finally {
    await Promise.all([listed, free].map(({ app }) => app.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const report = (times: Record<'with' | 'without' | 'search', number[]>): Row[] => [
  {
    what: 'saving 200,000 characters with 10,000 listed words / with none',
    ...ratioOf(times.with, times.without),
  },
  {
    what: 'looking for 10,000 words in 200,000 characters, processor time',
    ...figureOf(times.search),
    goal: { atMost: 50 },
    unit: 'ms',
  },
];

async function openDesk(folder: string): Promise<Desk> {
  mkdirSync(folder, { recursive: true });
  const environment = { DATA_DIR: folder, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' };
  const app = await createApp(readConfig(environment));
  const account = { username: '长文作者', password: 'long-article', gender: 'x', bio: '' } as const;
  const author = {
    id: await app.services.auth.addUser(account),
    username: account.username,
    signinId: '',
    origin: '',
  };
  const fields = { title: '长文', tags: ['长'], type: '', secret: false, status: 'normal' as const };
  const { id } = await app.services.articles.create({ ...fields, content: '开头' }, author);
  return {
    app,
    author,
    save: async (content) => void (await app.services.articles.edit({ ...fields, id, content }, author)),
  };
}

function manyWords(): string[] {
  const words = new Set<string>();
  const random = randomOf(1);
  while (words.size < WORDS)
    words.add(`${Array.from({ length: 2 + random(3) }, () => ALPHABET[random(ALPHABET.length)]).join('')}魍`);
  return [...words];
}

/** Paragraphs that mix beginnings of listed words with other text; different in each round. */
function longText(round: number, words: readonly string[]): string {
  const random = randomOf(round + 2);
  let text = '';
  while (text.length < CHARACTERS) {
    text += (words[random(words.length)] ?? '').slice(0, -1) + ALPHABET[random(ALPHABET.length)];
    if (random(40) === 0) text += '。\n\n';
  }
  return text.slice(0, CHARACTERS - 1);
}

/** Returns a generator of integers below `most`, deterministic for a seed (mulberry32, public domain). */
function randomOf(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

/** CPU time of `work`; excludes other processes, and nothing else runs in this one. */
async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
