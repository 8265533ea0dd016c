import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { isReached, type Row } from './stats.ts';

export interface Results {
  machine: { cpu: string; cores: number; memoryGiB: number; system: string; node: string };
  rows: Row[];
}

const START = '<!-- bench: written by `npm run bench -- table` -->';
const END = '<!-- /bench -->';

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

/** Rows shown in the READMEs, with their texts in each language. `what` matches the name of the row. */
const HEADLINES = [
  {
    section: 'cache',
    what: 'cached article page, br / bare node:http, same buffer and headers, requests per second',
    says: {
      english: 'throughput of a cached page / of a bare `node:http` server that writes the same bytes',
      chinese: '缓存的页面，与只写同样字节的 `node:http` 服务器相比',
    },
  },
  {
    section: 'cache',
    what: 'cached article page, br / nginx, same bytes as a file, requests per second',
    says: {
      english: 'throughput of a cached page / of nginx that sends it as a file',
      chinese: '缓存的页面，与 nginx 发送同一文件相比',
    },
  },
  {
    section: 'pages',
    what: 'uncached article page / Astro page that prints a constant, requests per second',
    says: {
      english: 'throughput of an uncached article / of an Astro page that prints a constant',
      chinese: '重新渲染的文章，与输出固定内容的 Astro 页面相比',
    },
  },
  {
    section: 'pages',
    what: 'list: p50 at 100,000 articles / at 1,000',
    says: {
      english: 'p50 of an uncached list with 100,000 articles / with 1,000',
      chinese: '十万篇文章的列表，与一千篇时相比',
    },
  },
  {
    section: 'search',
    what: "SQL LIKE '%…%' / first search, p50 at 100,000 articles",
    says: {
      english: "p50 of `LIKE '%…%'` over 100,000 articles / of a search that is not cached",
      chinese: "十万篇文章里用 `LIKE '%…%'` 查找，与首次搜索相比",
    },
  },
  {
    section: 'fair',
    what: 'pages: a reader, p99 under attack / alone',
    says: {
      english: "a reader's p99 while another client floods the server with page requests / without",
      chinese: '有人大量请求页面时读者的 p99，与平时相比',
    },
  },
  {
    section: 'restarts',
    what: 'unanswered requests sent before SIGTERM',
    says: { english: 'requests lost in 200 restarts under load', chinese: '负载下重启 200 次丢失的请求' },
  },
  {
    section: 'start',
    what: 'process start → first 200 of /home',
    says: {
      english: 'time from the start of the process to the first page',
      chinese: '从进程启动到送出第一页',
    },
  },
  {
    section: 'weight',
    what: 'article: inline script, brotli',
    says: { english: 'script that an article page runs, brotli', chinese: '阅读文章时运行的脚本' },
  },
  {
    section: 'weight',
    what: 'article: HTML and CSS, brotli',
    says: { english: 'HTML and CSS of an article, brotli', chinese: '一篇文章的 HTML 与 CSS' },
  },
];

const READMES = [
  { file: 'README.md', language: 'english', head: ['', 'figure', 'goal'] },
  { file: 'README.zh-CN.md', language: 'chinese', head: ['', '数值', '目标'] },
] as const;

/**
 * Writes the stored results into docs/benchmarks.md, and the rows of `HEADLINES` into the READMEs.
 * @param folder of the results, with one JSON file per section
 * @param sections in the order of the table
 * @param root folder of the project
 */
export async function writeTables(folder: string, sections: readonly string[], root: string): Promise<void> {
  const kept = sections.flatMap((name) => {
    const file = join(folder, `${name}.json`);
    return existsSync(file) ? [{ name, ...(JSON.parse(readFileSync(file, 'utf8')) as Results) }] : [];
  });
  const machines = [...new Set(kept.map(({ machine }) => describe(machine)))].join('; and on ');
  const all = kept.flatMap(({ name, rows }) =>
    rows.map((row) => {
      const { figure, spread, goal, verdict } = cells(row);
      return [name, row.note ? `${row.what} (${row.note})` : row.what, figure, spread, goal, verdict];
    }),
  );
  const text = table(['section', 'compared', 'figure', 'spread', 'goal', ''], all);
  await writeBetweenMarks(join(root, 'docs', 'benchmarks.md'), `${text}\n\nMeasured on ${machines}.`);

  for (const { file, language, head } of READMES) {
    const rows = HEADLINES.map(({ section, what, says }) => {
      const row = kept.find(({ name }) => name === section)?.rows.find((each) => each.what === what);
      if (!row) throw new Error(`no result of ${section} is called "${what}"`);
      return [says[language], cells(row).figure, cells(row).goal];
    });
    await writeBetweenMarks(join(root, file), table(head, rows));
  }
}

async function writeBetweenMarks(file: string, text: string): Promise<void> {
  const old = readFileSync(file, 'utf8');
  const [from, to] = [old.indexOf(START), old.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for the table: ${START} … ${END}`);
  const options = { ...(await resolveConfig(file)), parser: 'markdown' };
  const written = `${old.slice(0, from)}${START}\n\n${text}\n\n${old.slice(to)}`;
  writeFileSync(file, await format(written, options));
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [head, head.map(() => '-'), ...rows].map(line).join('\n');
}

const describe = ({ cpu, cores, memoryGiB, system, node }: Results['machine']): string =>
  `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`;

/** Two decimals, or three for values below 0.1. */
const digits = (value: number): string => (value === 0 ? '0' : value.toFixed(value < 0.1 ? 3 : 2));

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
