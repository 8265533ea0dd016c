import { defineConfig } from 'vitest/config';

/**
 * Which storage the suites run on; those of one engine alone end in `.sqlite.test.ts` or `.postgres.test.ts`.
 */
const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';
const other = engine === 'postgres' ? 'sqlite' : 'postgres';

/** Factor on the time limits of tests: `npm run trust` may share the machine with other work. */
const PATIENCE = Number(process.env['TEST_PATIENCE'] ?? 1);

/** A browser on a machine that is busy beside it, and nobody there to press a key again. */
const BROWSER_RETRY = 1;

interface Options {
  timeout: number;
  /** How long `expect.poll` asks: as long as Playwright waits for a locator where there are browsers. */
  poll?: number;
  maxWorkers: number;
  /** How often a test that failed is run again; `npm test` names each that passed only then. */
  retry?: number;
  /** The suites open databases. */
  stores?: boolean;
  setup?: string[];
  env?: Record<string, string>;
}

/** Projects run one after the other: two cores are shared by a server, a browser and the tests themselves. */
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
    // A browser on a busy machine takes its time; nothing is asserted about time.
    expect: { poll: { timeout: poll * PATIENCE } },
    globalSetup: [...setup, ...(stores && engine === 'postgres' ? ['tests/postgres/setup.ts'] : [])],
    env,
  },
});

export default defineConfig({
  test: {
    // Whoever looks at one test alone names it: `-t`.
    allowOnly: false,
    projects: [
      project('unit', 0, { timeout: 15_000, maxWorkers: 2, stores: false }),
      project('engines', 1, { timeout: 30_000, maxWorkers: 2 }),
      // Some of these wait for a server's own timers.
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
