import type { Command } from 'commander';
import { formatMinute } from '../../shared/time.ts';
import { withApp } from '../session.ts';
import { printTable } from '../table.ts';

const ENGINES = { baidu: '百度', indexnow: 'IndexNow' };

export function addPushCommands(program: Command): void {
  const push = program.command('push').description('告诉搜索引擎有了新文章');
  push.command('list').description('列出还没有告诉搜索引擎的文章').action(listPushes);
}

async function listPushes(): Promise<void> {
  const lines = await withApp(async ({ services, config }) =>
    (await services.pushes.list()).map(({ engine, title, due_time, tries, problem }) => [
      ENGINES[engine],
      title,
      formatMinute(new Date(due_time).toISOString(), config.siteTimeZone),
      String(tries),
      problem,
    ]),
  );
  const head = ['搜索引擎', '文章', '下次推送', '试过', '上次的回答'];
  printTable('没有等着推送的文章', [head, ...lines], [3]);
}
