import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type, release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchApi } from './api.ts';
import { benchCache } from './cache.ts';
import { benchDay } from './day.ts';
import { benchDiscovery } from './discovery.ts';
import { benchEditor } from './editor.ts';
import { benchFair } from './fair.ts';
import { benchGrowth } from './growth-section.ts';
import { benchImports } from './imports.ts';
import { benchLive } from './live.ts';
import { benchMarkdown } from './markdown.ts';
import { benchMemory } from './memory.ts';
import { benchModeration } from './moderation.ts';
import { benchNodes } from './nodes.ts';
import { benchNotices } from './notices.ts';
import { benchOperations } from './operations.ts';
import { benchPages } from './pages.ts';
import { keepOffServers } from './processes.ts';
import { benchRedirects } from './redirects.ts';
import { asLine, writeTables, type Results } from './report.ts';
import { benchRestarts } from './restarts.ts';
import { benchSearch } from './search.ts';
import { benchStart } from './start.ts';
import { isReached, type Section } from './stats.ts';
import { benchWeight } from './weight.ts';
import { benchWrite } from './write.ts';

/**
 * `npm run bench -- [section…]`: measures the sections, prints ratios and stores them in `results`.
 * `section:part` measures one part of a section (`fair:feed`) and stores nothing. `npm run bench -- table`
 * only writes the stored results into the documents. `--minutes=5` shortens section `memory`, and pauses the
 * generator of `growth` and `operations`; `--articles=1000000` is the size of their site. `--data=folder`
 * stores the databases elsewhere than in `.data`.
 */
const { positionals: asked, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    articles: { type: 'string', default: '100000' },
    data: { type: 'string' },
  },
});
const size = { articles: Number(options.articles), minutes: Number(options.minutes) };
const sections: Record<string, Section> = {
  pages: benchPages,
  cache: benchCache,
  day: benchDay,
  search: benchSearch,
  discovery: benchDiscovery,
  redirects: benchRedirects,
  api: benchApi,
  write: benchWrite,
  live: benchLive,
  nodes: benchNodes,
  fair: benchFair,
  start: benchStart,
  memory: (data, corpus) => benchMemory(data, corpus, Number(options.minutes)),
  restarts: benchRestarts,
  weight: benchWeight,
  editor: benchEditor,
  markdown: benchMarkdown,
  moderation: benchModeration,
  notices: benchNotices,
  imports: benchImports,
  growth: (data, corpus, part) => benchGrowth(data, corpus, part, size),
  operations: (data, corpus, part) => benchOperations(data, corpus, part, size),
};

const here = fileURLToPath(new URL('.', import.meta.url));
const data = options.data ?? join(here, '.data');
const results = join(here, 'results');
const corpus = fileURLToPath(new URL('../../shared/corpus/javaguide/docs', import.meta.url));
const names = asked.length > 0 ? asked : Object.keys(sections);
const unknown = names.filter((name) => !Object.hasOwn(sections, sectionOf(name)));

if (asked[0] === 'table') {
  await writeTables(results, Object.keys(sections), join(here, '..'));
} else if (unknown.length > 0) {
  process.stderr.write(
    `unknown section ${unknown.join(', ')}; there are: ${Object.keys(sections).join(', ')}, and table\n`,
  );
  process.exitCode = 1;
} else {
  keepOffServers();
  for (const name of names) await run(name);
}

function sectionOf(name: string): string {
  return name.split(':')[0] ?? '';
}

async function run(name: string): Promise<void> {
  const [section = '', part] = name.split(':');
  const rows = (await sections[section]?.(data, corpus, part)) ?? [];
  process.stdout.write(`\n${name}\n${rows.map(asLine).join('\n')}\n`);
  if (!rows.every(isReached)) process.exitCode = 1;
  if (part !== undefined) return;
  mkdirSync(results, { recursive: true });
  const machine = {
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  };
  const kept: Results = { machine, rows };
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}
