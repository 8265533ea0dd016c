import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { App } from '../../server/services.ts';
import type { Added, FormerPathService } from '../../server/redirects/former-path-service.ts';
import { batchesOf } from '../../shared/batches.ts';
import { readCsv, toCell, type CsvRow } from '../csv.ts';
import { UsageError } from '../../server/operations/explain.ts';
import { withBars } from '../progress.ts';
import { withApp } from '../session.ts';

/** Rows per transaction. */
const BATCH_SIZE = 500;

const PROBLEMS: Partial<Record<Added, string>> = {
  taken: '已经属于另一篇文章，先用 redirects remove 去掉',
  nowhere: '没有这篇文章',
  malformed: '不是地址：应以 / 或 http:// 开头',
  query: '带有参数，只有 WordPress 的 /?p=编号 可以',
  own: '是本站自己的地址',
};

export function addRedirectCommands(program: Command): void {
  const redirects = program.command('redirects').description('文章在旧站的地址：访问它会转到文章');
  redirects
    .command('list')
    .description('列出旧地址，CSV 格式，可以再导入')
    .option('--article <id>', '只列这篇文章的')
    .action(list);
  redirects
    .command('add')
    .description('给一篇文章加上旧地址')
    .argument('<article>', '文章编号或地址')
    .argument('<address...>', '旧地址：路径，或旧站的完整网址')
    .action(add);
  redirects.command('remove').description('去掉旧地址').argument('<address...>', '旧地址').action(remove);
  redirects
    .command('import')
    .description('从 CSV 文件导入，每行「旧地址,文章编号或地址」；重复运行不会重复')
    .argument('<csv>', 'UTF-8 编码的 CSV 文件')
    .action(importCsv);
}

const idIn = (target: string): string | null =>
  /^(?:(?:https?:\/\/[^/]+)?\/(?:detail|edit)\/)?([0-9a-f]{24})(?:[/.?#].*)?$/i
    .exec(target.trim())?.[1]
    ?.toLowerCase() ?? null;

/** Maps targets (ids, addresses of this site, former addresses) to article ids; unknown ones to ''. */
async function articlesOf(
  paths: FormerPathService,
  targets: readonly string[],
): Promise<Map<string, string>> {
  const others = targets.filter((target) => idIn(target) === null);
  const found = others.length > 0 ? await paths.articlesAt(others) : new Map<string, string>();
  return new Map(targets.map((target) => [target, idIn(target) ?? found.get(target) ?? '']));
}

async function list({ article }: { article?: string }): Promise<void> {
  await withApp(async ({ services: { formerPaths } }) => {
    const print = (address: string, id: string) => console.log(`${toCell(address)},/detail/${id}`);
    if (article === undefined) {
      for await (const part of formerPaths.list())
        for (const { address, articleId } of part) print(address, articleId);
      return;
    }
    const id = (await articlesOf(formerPaths, [article])).get(article) ?? '';
    for (const address of await formerPaths.listOf(id)) print(address, id);
  });
}

async function add(article: string, addresses: string[]): Promise<void> {
  const outcomes = await withApp(async ({ services: { formerPaths } }) => {
    const articleId = (await articlesOf(formerPaths, [article])).get(article) ?? '';
    return formerPaths.addAll(addresses.map((address) => ({ address, articleId })));
  });
  for (const [index, outcome] of outcomes.entries()) {
    const problem = PROBLEMS[outcome];
    const address = addresses[index] ?? '';
    if (problem === undefined) console.log(`${address} ${outcome === 'same' ? '早已加上' : '已加上'}`);
    else complain(`${address} ${problem}`);
  }
}

async function remove(addresses: string[]): Promise<void> {
  await withApp(async ({ services: { formerPaths } }) => {
    for (const address of addresses) {
      if (await formerPaths.remove(address)) console.log(`${address} 已去掉`);
      else complain(`${address} 不是任何文章的旧地址`);
    }
  });
}

/** Prints an error and continues; the command will exit with 1. */
function complain(text: string): void {
  console.error(text);
  process.exitCode = 1;
}

async function importCsv(file: string): Promise<void> {
  const { size } = await stat(file);
  const counts = { added: 0, same: 0, bad: 0 };
  const isWhole = await withBars((signal, show) =>
    withApp(async (app) => {
      for await (const rows of batchesOf(rowsIn(file), BATCH_SIZE)) {
        if (signal.aborted) return false;
        await take(app, rows, counts);
        show('导入', Math.min(rows.at(-1)?.read ?? 0, size), size);
      }
      return true;
    }),
  );
  console.log(`新增 ${counts.added} 个旧地址，${counts.same} 个早已在，${counts.bad} 行有问题`);
  if (!isWhole) throw new UsageError('已停下：再次运行同样的命令，会接着导入');
}

async function* rowsIn(file: string): AsyncGenerator<CsvRow> {
  for await (const row of readCsv(file)) if (row.line !== 1 || !isHeading(row)) yield row;
}

/** A first line without any address or id is the heading. */
const isHeading = ({ cells: [address = '', target = ''] }: CsvRow): boolean =>
  ![address, target].some((cell) => /^\/|^https?:|^[0-9a-f]{24}$/i.test(cell));

async function take(
  { services: { formerPaths } }: App,
  rows: CsvRow[],
  counts: { added: number; same: number; bad: number },
): Promise<void> {
  const whole = rows.filter(({ cells }) => cells.length >= 2);
  const targets = await articlesOf(formerPaths, [...new Set(whole.map(({ cells }) => cells[1] ?? ''))]);
  const entries = whole.map(({ cells: [address = '', target = ''] }) => {
    return { address, articleId: targets.get(target) ?? '' };
  });
  const outcomes = await formerPaths.addAll(entries);
  const byLine = new Map(whole.map(({ line }, index) => [line, outcomes[index]]));
  for (const { line, cells } of rows) {
    const outcome = byLine.get(line);
    const problem = outcome === undefined ? '应有两列：旧地址,文章' : PROBLEMS[outcome];
    if (problem === undefined) counts[outcome === 'same' ? 'same' : 'added']++;
    else {
      counts.bad++;
      complain(`第 ${line} 行：${outcome === 'nowhere' ? (cells[1] ?? '') : (cells[0] ?? '')} ${problem}`);
    }
  }
}
