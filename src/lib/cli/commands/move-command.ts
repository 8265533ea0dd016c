import type { Command } from 'commander';
import type { MoveProgress, MoveReport } from '../../server/operations/move.ts';
import { withProgress } from '../progress.ts';
import { table } from '../table.ts';

const STEPS: Record<MoveProgress['step'], string> = { copy: '复制', compare: '核对', index: '重建搜索索引' };
const SHOWN_DIGITS = 16;

export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .description(
      '把整个站点的数据搬进另一个数据库（SQLite 与 PostgreSQL 之间，两个方向都可以），中断后可以继续',
    )
    .requiredOption('--from <address>', '来源，如 sqlite:data/moye.sqlite')
    .requiredOption('--to <address>', '目标，如 postgres://用户:密码@主机:5432/数据库，应为空')
    .option('--dry-run', '只检查两边，报告要搬多少，不写入', false)
    .action(move);
}

async function move({ dryRun: isDryRun, ...ends }: { from: string; to: string; dryRun: boolean }) {
  const { moveDatabase } = await import('../../server/operations/move.ts');
  let shown = '';
  const report = await withProgress(
    '已停下，目标数据库还不完整：再次运行同样的命令会接着搬',
    (signal, show) =>
      moveDatabase({
        ...ends,
        isDryRun,
        signal,
        onProgress({ step, table: name, done, total }) {
          show(STEPS[step], done, total);
          if (process.stderr.isTTY || shown === step + name) return;
          shown = step + name;
          process.stderr.write(`${STEPS[step]} ${name} ${done}/${total}\n`.replace('  ', ' '));
        },
      }),
  );
  if (report) for (const line of describe(report)) console.log(line);
}

function* describe({ outcome, tables, found, isSourceChanged }: MoveReport): Generator<string> {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  const rows = tables.map(({ table: name, rows: count, digest = '' }) => [
    name,
    String(count),
    digest.slice(0, SHOWN_DIGITS),
  ]);
  yield* table([['表', '行数', outcome === 'possible' ? '' : 'SHA-256'], ...rows], [1]);
  if (outcome === 'possible') {
    yield `可以搬家：共 ${total} 行${found > 0 ? `，其中 ${found} 行上次已经搬到` : ''}。没有写入任何数据`;
    return;
  }
  if (outcome === 'same') yield `两边本来就一致：共 ${total} 行，没有写入任何数据`;
  else if (found > 0) yield `已搬完：共 ${total} 行，其中 ${found} 行上次已经搬到；逐表核对，两边一致`;
  else yield `已搬完：共 ${total} 行；逐表核对，两边一致`;
  if (isSourceChanged) yield '注意：搬家期间来源有新的写入，没有搬过来。请停下来源的服务，清空目标后重新搬家';
  yield '上传的图片和 TOKEN_SECRET 不在数据库里，要让新的服务也用原来的（docs/deploy.md）';
}
