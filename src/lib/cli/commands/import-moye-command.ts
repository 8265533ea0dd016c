import type { Command } from 'commander';
import type { ReimportKind, ReimportReport } from '../../server/export/reimport-report.ts';
import { withBars } from '../progress.ts';
import { withApp } from '../session.ts';

const LABELS: Record<ReimportKind, string> = {
  users: '用户',
  pictures: '图片',
  tags: '标签',
  series: '专栏',
  articles: '文章',
  versions: '历史版本',
  comments: '评论',
};
const MAX_SHOWN_NAMES = 20;

export function addMoyeCommand(parent: Command): void {
  parent
    .command('moye')
    .description(
      '导入 moye export 导出的内容，编号、时间、评论和历史版本都和原来一样；可以重复运行，中断后会接着导',
    )
    .argument('<export>', '导出的文件夹或 .zip')
    .option('--author <name>', '一位作者的导出归这个已有的账号，不加时归原来的用户名')
    .option('--with-accounts', '连同导出里的密码、角色、封禁和邮箱：只用于自己保管的导出', false)
    .option('--dry-run', '只报告会发生什么，不写入', false)
    .action(importMoye);
}

async function importMoye(
  path: string,
  options: { author?: string; withAccounts: boolean; dryRun: boolean },
): Promise<void> {
  const { author = null, withAccounts, dryRun: isDryRun } = options;
  const report = await withApp(
    ({ services }) =>
      withBars((signal, show) =>
        services.reimport(path, {
          author,
          withAccounts,
          isDryRun,
          signal,
          onProgress: (done, total) => show('导入', done, total),
        }),
      ),
    { canBegin: !isDryRun },
  );
  for (const line of describe(report, isDryRun)) console.log(line);
  if (report.wasStopped) process.exitCode = 130;
  else if (isNothing(report)) process.exitCode = 1;
}

const isNothing = ({ counts, losses }: ReimportReport): boolean =>
  losses.length > 0 && Object.values(counts).every(({ created, same }) => created + same === 0);

function* describe({ counts, losses, withoutPassword, wasStopped }: ReimportReport, isDryRun: boolean) {
  if (wasStopped) yield '已停下：再次运行同样的命令会接着导入';
  for (const [kind, { created, same, left }] of Object.entries(counts) as [
    ReimportKind,
    (typeof counts)['users'],
  ][]) {
    if (created + same + left === 0) continue;
    const parts = [
      `${isDryRun ? '将导入' : '导入'} ${created}`,
      ...(same > 0 ? [`已有 ${same}`] : []),
      ...(left > 0 ? [`没有导入 ${left}`] : []),
    ];
    yield `${LABELS[kind]}：${parts.join('，')}`;
  }
  if (withoutPassword.length > 0) {
    const names = withoutPassword.slice(0, MAX_SHOWN_NAMES).join('、');
    const more = withoutPassword.length > MAX_SHOWN_NAMES ? ` 等 ${withoutPassword.length} 个` : '';
    yield `没有密码的新账号：${names}${more}。用 moye user passwd 设置后才能登录`;
  }
  if (losses.length === 0) return;
  yield `没有导入或有出入的（${losses.length}）：`;
  for (const { what, why } of losses) yield `  ${what}：${why}`;
}
