import { defineConfig } from 'vitest/config';
import { TEST_MS, WAIT_MS } from './tests/limits.ts';
import { createReporter, LongestFirst } from './tests/reporter.ts';
import { filesOf, tagsOf, type Engine, type Part } from './tests/selection.ts';

/** Factor for the time limits of tests: `npm run trust` may share the machine with other work. */
const PATIENCE = Number(process.env['TEST_PATIENCE'] ?? 1);
const PART = (process.env['TEST_PART'] ?? 'all') as Part;
const SEED = Number(process.env['TEST_SEED'] ?? 1);
/** Number of shares of the long part; the seed chooses the one that runs. */
const SHARES = Number(process.env['TEST_SHARES'] ?? 1);

/** Browser tests are retried once, because a busy machine can miss a key press. */
const BROWSER_RETRY = 1;

interface Options {
  /** Limit for a test or a hook. */
  timeout: number;
  maxWorkers: number;
  /** Retries of a failed test; `npm test` lists each test that passed only when retried. */
  retry?: number;
  setup?: string[];
  env?: Record<string, string>;
  /** Whether each file gets new modules, transformed by Vite: for JSX and `vi.mock`. */
  isTransformed?: boolean;
}

/**
 * Projects run one after another, because a server, a browser and the tests share two cores.
 * @param name folder of tests/; the project on PostgreSQL is called `<name>-postgres`
 */
const project = (
  name: string,
  engine: Engine,
  order: number,
  { timeout, maxWorkers, retry = 0, setup = [], env = {}, isTransformed = false }: Options,
) => ({
  test: {
    name: engine === 'postgres' ? `${name}-postgres` : name,
    include: filesOf(name, engine, PART, SEED, SHARES).map((file) => `tests/${file}`),
    tags: tagsOf(engine, PART),
    pool: 'forks' as const,
    // Otherwise Node loads the modules once per worker, as the product does.
    isolate: isTransformed,
    experimental: isTransformed ? {} : { viteModuleRunner: false, nodeLoader: false },
    maxWorkers,
    retry,
    testTimeout: timeout * PATIENCE,
    hookTimeout: Math.max(timeout, 60_000) * PATIENCE,
    sequence: { groupOrder: order },
    // Browsers on a busy machine are slow; no test asserts times.
    expect: { poll: { timeout: WAIT_MS * PATIENCE } },
    globalSetup: [...setup, ...(engine === 'postgres' ? ['tests/postgres/setup.ts'] : [])],
    env: { TEST_ENGINE: engine, ...env },
  },
});

const unit: Options = { timeout: 60_000, maxWorkers: 2 };
const engines: Options = { timeout: TEST_MS, maxWorkers: 3 };
const api: Options = { timeout: TEST_MS, maxWorkers: 3 };
const browser: Options = { timeout: TEST_MS, maxWorkers: 3, retry: BROWSER_RETRY };
const front: Options = { ...browser, setup: ['tests/edge/setup.ts'], env: { TEST_FRONT: 'cloudflare' } };

export default defineConfig({
  test: {
    // Run a single test with `-t` instead.
    allowOnly: false,
    reporters: [['default', { summary: false }], createReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('islands', 'sqlite', 0, { ...unit, isTransformed: true }),
      project('unit', 'sqlite', 1, unit),
      project('engines', 'sqlite', 2, engines),
      project('engines', 'postgres', 3, engines),
      project('api', 'sqlite', 4, api),
      project('api', 'postgres', 5, api),
      project('e2e', 'sqlite', 6, browser),
      project('e2e', 'postgres', 7, browser),
      project('edge', 'sqlite', 8, front),
    ],
  },
});
