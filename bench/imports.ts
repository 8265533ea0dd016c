import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignSites } from '../tests/foreign-sites.ts';
import { startPostgres } from '../tests/postgres/start.ts';
import { measure, RUN, type Measured } from './measure.ts';
import { readArticles } from './plain-markdown.ts';
import { keepOffServers, letLoose } from './processes.ts';
import { figureOf, ratioOf, type Row } from './stats.ts';

const ARTICLES = 10_000;
const ROUNDS = 3;
const PLAIN = fileURLToPath(new URL('./bare/plain-markdown.ts', import.meta.url));

/**
 * Section `imports`: import of the corpus on both engines, and time and memory of an import of 10,000
 * articles of each product. The commands run as by `npm run moye`, on all cores.
 */
export async function benchImports(data: string, corpus: string, part?: string): Promise<Row[]> {
  letLoose();
  try {
    const rows = await corpusRows(join(data, 'imports'), corpus);
    return part === 'corpus' ? rows : [...rows, ...(await productRows(join(data, 'imports')))];
  } finally {
    keepOffServers();
  }
}

/** Compares the import of the corpus with rendering the same files by plain unified, in turn. */
async function corpusRows(data: string, corpus: string): Promise<Row[]> {
  const count = readArticles(corpus).length;
  if (count === 0) return [];
  const postgres = await startPostgres(['fsync=on', 'full_page_writes=on']);
  try {
    const engines = {
      SQLite: {},
      PostgreSQL: { DATABASE_URL: postgres.url, TOKEN_SECRET: 'a secret of the import benchmark' },
    };
    const plain: Measured[] = [];
    const imports: Record<keyof typeof engines, Measured[]> = { SQLite: [], PostgreSQL: [] };
    for (let round = 0; round < ROUNDS; round++) {
      plain.push(await measure([PLAIN, corpus], {}));
      for (const engine of ['SQLite', 'PostgreSQL'] as const) {
        const folder = join(data, `corpus-${round}`);
        // A new author imports everything again.
        const words = ['import', 'markdown', corpus, '--author', `${engine}${round}`, '--create-author'];
        const run = await measure([RUN, 'moye', ...words], { ...engines[engine], DATA_DIR: folder });
        if (!run.output.includes(`新增 ${count}`)) throw new Error(run.output);
        imports[engine].push(run);
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return (['SQLite', 'PostgreSQL'] as const).flatMap((engine) =>
      rowsOf(engine, count, imports[engine], plain),
    );
  } finally {
    await postgres.end();
  }
}

function rowsOf(engine: string, count: number, runs: readonly Measured[], plain: readonly Measured[]): Row[] {
  const what = `corpus of ${count} articles, ${engine}`;
  const each = (list: readonly Measured[], name: 'seconds' | 'cpuSeconds' | 'treeMb') =>
    list.map((run) => run[name]);
  const shown = (values: readonly number[]) => values.map((value) => value.toFixed(0)).join(', ');
  const cpu = [each(runs, 'cpuSeconds'), each(plain, 'cpuSeconds')] as const;
  return [
    { what: `${what}: import`, ...figureOf(each(runs, 'seconds')), unit: 's', goal: { atMost: 20 } },
    {
      what: `${what}: peak memory of the process tree`,
      ...figureOf(each(runs, 'treeMb')),
      unit: 'MB',
      goal: { atMost: 300 },
    },
    {
      what: `${what}: import / rendered by plain unified in one thread, processor time`,
      ...ratioOf(...cpu),
      note: `${shown(cpu[0])} s / ${shown(cpu[1])} s`,
    },
  ];
}

async function productRows(data: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [product, write] of Object.entries(foreignSites)) {
    const folder = join(data, product);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const path = await write(folder, ARTICLES);
    const command = [RUN, 'moye', 'import', product, path];
    const { peakMb, seconds, output } = await measure(command, { DATA_DIR: join(folder, 'data') });
    rmSync(folder, { recursive: true });
    const taken = Number(/文章 {2}新增 (\d+)/.exec(output)?.[1]);
    if (taken !== ARTICLES) throw new Error(`${product}: ${output}`);
    const what = `${ARTICLES} articles of ${product}`;
    rows.push(
      { what: `${what}: peak memory`, ...figureOf([peakMb]), unit: 'MB', goal: { atMost: 300 } },
      { what: `${what}: articles per second`, ...figureOf([ARTICLES / seconds]), unit: 'articles/s' },
    );
  }
  return rows;
}
