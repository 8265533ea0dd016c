import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

/** One file without dependencies, which a CI job can copy (docs/integrations.md). */
const CLIENT = fileURLToPath(new URL('../../../../tools/moye-publish.mjs', import.meta.url));

export function addPublishCommand(program: Command): void {
  program
    .command('publish')
    .description('把一个文件夹的 Markdown 发布到一个墨页网站，只上传有变化的；README 等说明文件跳过')
    .argument('<folder>', '文件夹')
    .requiredOption('--site <url>', '网站的地址')
    .option('--token <token>', '访问令牌，也可以放在环境变量 MOYE_TOKEN 里')
    .option('--dry-run', '只报告会发生什么，不上传')
    .option('--publish-all', '没有 front matter 的文件也公开（不加时存为草稿）')
    .option('--delete', '本地删除了的文章移到网站的回收站')
    .option('--force', '覆盖在网站上改过的文章，重新发布在网站上删除的文章')
    .action(publishFolder);
}

async function publishFolder(folder: string, options: Record<string, string | true>): Promise<void> {
  const words = Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : [flag, value];
  });
  const client = spawn(process.execPath, [CLIENT, ...words, '--', folder], { stdio: 'inherit' });
  const [code] = (await once(client, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
