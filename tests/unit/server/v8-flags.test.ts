import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../../src/lib/server/main.ts', import.meta.url));

/** Output of a process that reports V8's decisions to allocate in old space. */
const decisions = (...args: string[]): string =>
  spawnSync(process.execPath, ['--max-semi-space-size=1', '--trace-pretenuring-statistics', ...args], {
    // Starts with all modules loaded, then ends with an error.
    env: { ...process.env, PORT: 'invalid' },
    encoding: 'utf8',
  }).stdout;

test('no code of the server allocates in old space because objects survived while modules loaded', () => {
  expect(decisions('-e', `const kept = []; for (let i = 0; i < 1e6; i++) kept.push([i, [i]]);`)).toContain(
    'pretenuring',
  );
  expect(decisions(MAIN)).not.toContain('pretenuring');
});
