import { defineConfig } from 'vitest/config';

/**
 * Storage engine of the suites. Suites for one engine only end in `.sqlite.test.ts` or `.postgres.test.ts`.
 */
const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';
const other = engine === 'postgres' ? 'sqlite' : 'postgres';

/** Factor for the time limits of tests: `npm run trust` may share the machine with other work. */
const PATIENCE = Number(process.env['TEST_PATIENCE'] ?? 1);

/** Browser tests are retried once, because a busy machine can miss a key press. */
const BROWSER_RETRY = 1;

interface Options {
  timeout: number;
  /** Timeout of `expect.poll`; in browser projects the same as Playwright's timeout for a locator. */
  poll?: number;
  maxWorkers: number;
  /** Retries of a failed test; `npm test` lists each test that passed only when retried. */
  retry?: number;
  /** Whether the suites open databases. */
  stores?: boolean;
  setup?: string[];
  env?: Record<string, string>;
}

/** Projects run one after another, because a server, a browser and the tests share two cores. */
const project = (
  name: string,
  order: number,
  { timeout, poll = 10_000, maxWorkers, retry = 0, stores = true, setup = [], env = {} }: Options,
) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    exclude: [`tests/**/*.${other}.test.ts`],
    pool: 'forks' as const,
    maxWorkers,
    retry,
    testTimeout: timeout * PATIENCE,
    hookTimeout: Math.max(timeout, 60_000) * PATIENCE,
    sequence: { groupOrder: order },
    // Browsers on a busy machine are slow; no test asserts times.
    expect: { poll: { timeout: poll * PATIENCE } },
    globalSetup: [...setup, ...(stores && engine === 'postgres' ? ['tests/postgres/setup.ts'] : [])],
    env,
  },
});

export default defineConfig({
  test: {
    // Run a single test with `-t` instead.
    allowOnly: false,
    projects: [
      project('unit', 0, { timeout: 15_000, maxWorkers: 2, stores: false }),
      project('engines', 1, { timeout: 30_000, maxWorkers: 2 }),
      // Some of these wait for timers of the server.
      project('api', 2, { timeout: 30_000, maxWorkers: 3 }),
      project('e2e', 3, { timeout: 120_000, poll: 30_000, maxWorkers: 2, retry: BROWSER_RETRY }),
      project('edge', 4, {
        timeout: 120_000,
        poll: 30_000,
        maxWorkers: 2,
        retry: BROWSER_RETRY,
        setup: ['tests/edge/setup.ts'],
        env: { TEST_FRONT: 'cloudflare' },
      }),
    ],
  },
});
