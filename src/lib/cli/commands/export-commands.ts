import type { Command } from 'commander';
import { readPlaces } from '../../server/config/config.ts';
import type { Manifest } from '../../server/export/format.ts';
import { missingPictures } from './backup-commands.ts';
import { withProgress } from '../progress.ts';
import { requireSite } from '../session.ts';

const TARGET = '文件夹，或以 .zip 结尾的文件名；不会覆盖已有的';

export function addExportCommands(program: Command): void {
  const parent = program.command('export').description('导出成 Markdown 文件，可以搬去别处，也可以再导入');
  parent
    .command('author')
    .description('导出一位作者的文章、草稿、历史版本、图片和评论；服务可以照常运行')
    .argument('<name>', '用户名')
    .argument('<target>', TARGET)
    .action((name: string, target: string) => run(target, { author: name, withAccounts: false }));
  parent
    .command('site')
    .description('导出整个站点所有作者的内容；服务可以照常运行')
    .argument('<target>', TARGET)
    .option('--with-accounts', '连同密码（散列）、角色、封禁和邮箱：这样的导出要像数据库一样保管', false)
    .action((target: string, { withAccounts }: { withAccounts: boolean }) =>
      run(target, { author: null, withAccounts }),
    );
}

async function run(target: string, job: { author: string | null; withAccounts: boolean }): Promise<void> {
  await requireSite(readPlaces());
  const { readSite } = await import('../../server/operations/site-places.ts');
  const site = await readSite();
  const { exportTo } = await import('../../server/operations/export.ts');
  const manifest = await withProgress('已停下，没有留下文件', (signal, show) =>
    exportTo(
      { site, target, ...job },
      {
        signal,
        onProgress: ({ step, done, total }) => show(step === 'articles' ? '文章' : '图片', done, total),
      },
    ),
  );
  if (manifest) for (const line of describe(manifest)) console.log(line);
}

function* describe({ kind, counts, missing, time, with_accounts }: Manifest): Generator<string> {
  const { articles, versions, comments, pictures, users } = counts;
  const parts = [`${articles} 篇文章`, `${versions} 个历史版本`, `${comments} 条评论`];
  yield `已导出：${parts.join('，')}，${pictures - missing.length} 张图片，状态截至 ${time}`;
  if (kind === 'site')
    yield with_accounts
      ? `${users} 位用户连同密码散列、角色和邮箱都在里面：请妥善保管`
      : `${users} 位用户只带公开资料，再导入后要重设密码（moye user passwd）；要带上密码，加上 --with-accounts`;
  if (missing.length === 0) return;
  yield `有 ${missing.length} 张图片的文件已经不在，没有导出：`;
  yield* missingPictures(missing);
}
