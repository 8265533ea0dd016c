import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type, release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchPages } from './pages.ts';
import { isReached, type Row } from './stats.ts';
import { benchWeight } from './weight.ts';

/** `npm run bench -- <section>`: measures side by side and prints ratios, never bare times. */
const sections: Record<string, (data: string, corpus: string) => Promise<Row[]>> = {
  pages: benchPages,
  weight: benchWeight,
};

const here = fileURLToPath(new URL('.', import.meta.url));
const corpus = fileURLToPath(new URL('../../shared/corpus/javaguide/docs', import.meta.url));
const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(sections);
const unknown = names.filter((name) => !Object.hasOwn(sections, name));

if (unknown.length > 0) {
  process.stderr.write(
    `unknown section ${unknown.join(', ')}; there are: ${Object.keys(sections).join(', ')}\n`,
  );
  process.exitCode = 1;
} else {
  for (const name of names) await run(name);
}

async function run(name: string): Promise<void> {
  const rows = (await sections[name]?.(join(here, '.data'), corpus)) ?? [];
  process.stdout.write(`\n${name}\n${rows.map(line).join('\n')}\n`);
  mkdirSync(join(here, 'results'), { recursive: true });
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  };
  writeFileSync(join(here, 'results', `${name}.json`), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  if (!rows.every(isReached)) process.exitCode = 1;
}

function line(row: Row): string {
  const goal = row.goal ? ('atLeast' in row.goal ? `≥ ${row.goal.atLeast}` : `≤ ${row.goal.atMost}`) : '';
  const verdict = row.goal ? (isReached(row) ? 'reached' : 'NOT reached') : '';
  const spread = `(${row.spread.map((value) => value.toFixed(2)).join('–')})`;
  return [
    `  ${row.what}`.padEnd(84),
    row.ratio.toFixed(2).padStart(6),
    spread.padEnd(14),
    goal,
    verdict,
    row.note ?? '',
  ].join(' ');
}
