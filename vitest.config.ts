import { defineConfig } from 'vitest/config';

/** Projects run one after the other: two cores are shared by a server, a browser and the tests themselves. */
const project = (name: string, order: number, options: { timeout: number; maxWorkers: number }) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    pool: 'forks' as const,
    maxWorkers: options.maxWorkers,
    testTimeout: options.timeout,
    hookTimeout: Math.max(options.timeout, 60_000),
    sequence: { groupOrder: order },
    // A browser on a busy machine takes its time; nothing is asserted about time.
    expect: { poll: { timeout: 10_000 } },
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', 0, { timeout: 15_000, maxWorkers: 2 }),
      project('engines', 1, { timeout: 30_000, maxWorkers: 2 }),
      project('api', 2, { timeout: 30_000, maxWorkers: 2 }),
      project('e2e', 3, { timeout: 60_000, maxWorkers: 1 }),
    ],
  },
});
