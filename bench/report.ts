import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { isReached, type Row } from './stats.ts';

/** What is kept of a section's run. */
export interface Results {
  machine: { cpu: string; cores: number; memoryGiB: number; system: string; node: string };
  rows: Row[];
}

const START = '<!-- bench: written by `npm run bench -- table` -->';
const END = '<!-- /bench -->';

/** A row as the terminal shows it. */
export function asLine(row: Row): string {
  const { figure, spread, goal, verdict } = cells(row);
  return [
    `  ${row.what}`.padEnd(88),
    figure.padStart(8),
    `(${spread})`.padEnd(16),
    goal.padEnd(9),
    verdict,
    row.note ?? '',
  ]
    .join(' ')
    .trimEnd();
}

/** Writes the kept results of `sections` between the two marks in the file `readme`, as tables. */
export async function writeTable(folder: string, sections: readonly string[], readme: string): Promise<void> {
  const kept = sections.flatMap((name) => {
    const file = join(folder, `${name}.json`);
    return existsSync(file) ? [{ name, ...(JSON.parse(readFileSync(file, 'utf8')) as Results) }] : [];
  });
  const machines = [...new Set(kept.map(({ machine }) => describe(machine)))];
  const lines = kept.flatMap(({ name, rows }) => rows.map((row) => asTableRow(name, row)));
  const head = '| section | compared | figure | spread | goal | |\n| - | - | -: | - | - | - |';
  const text = `${START}\n\n${head}\n${lines.join('\n')}\n\nMeasured on ${machines.join('; and on ')}.\n\n${END}`;
  const old = readFileSync(readme, 'utf8');
  const [from, to] = [old.indexOf(START), old.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${readme} has no place for the table: ${START} … ${END}`);
  const options = { ...(await resolveConfig(readme)), parser: 'markdown' };
  writeFileSync(readme, await format(old.slice(0, from) + text + old.slice(to + END.length), options));
}

const describe = ({ cpu, cores, memoryGiB, system, node }: Results['machine']): string =>
  `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`;

function asTableRow(section: string, row: Row): string {
  const { figure, spread, goal, verdict } = cells(row);
  const what = row.note ? `${row.what} (${row.note})` : row.what;
  return `| ${[section, what, figure, spread, goal, verdict].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Two decimals, and a third where they would say nothing. */
const digits = (value: number): string => value.toFixed(value < 0.1 ? 3 : 2);

function cells(row: Row) {
  const unit = row.unit === undefined ? '' : ` ${row.unit}`;
  const bound = row.goal && ('atLeast' in row.goal ? `≥ ${row.goal.atLeast}` : `≤ ${row.goal.atMost}`);
  return {
    figure: `${digits(row.ratio)}${unit}`,
    spread: row.spread.map(digits).join('–'),
    goal: bound === undefined ? '' : `${bound}${unit}`,
    verdict: row.goal ? (isReached(row) ? 'reached' : 'NOT reached') : '',
  };
}
