// @ts-check
import { succeeds } from './child.mjs';
import { inRoot, projectNode } from './project.mjs';

const modules = (/** @type {string[]} */ ...parts) => inRoot('node_modules', ...parts);

/** @type {[title: string, args: string[]][]} */
const steps = [
  ['format', [modules('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']],
  [
    'lint',
    [
      modules('oxlint', 'bin', 'oxlint'),
      '--type-aware',
      '--report-unused-disable-directives-severity=error',
      '--format=stylish',
    ],
  ],
  ['unused code', [modules('knip', 'bin', 'knip.js'), '--no-progress']],
  ['types of the content (astro sync)', [modules('astro', 'bin', 'astro.mjs'), 'sync', '--silent']],
  ['types', [modules('@astrojs', 'check', 'bin', 'astro-check.js'), '--minimumFailingSeverity', 'hint']],
  [
    'project rules',
    [modules('vitest', 'vitest.mjs'), 'run', '--reporter=dot', '--project=unit', 'tests/unit/project'],
  ],
];

/** `npm run check`: runs every check even when an earlier one failed; exits with 1 when any failed. */
export async function check() {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  const failed = [];
  for (const [title, args] of steps) {
    process.stdout.write(`\n— ${title}\n`);
    if (!(await succeeds(projectNode(), args, { env }))) failed.push(title);
  }
  process.stdout.write(failed.length > 0 ? `\nfailed: ${failed.join(', ')}\n` : '\nall checks passed\n');
  process.exitCode = failed.length > 0 ? 1 : 0;
}
