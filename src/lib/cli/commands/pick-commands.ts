import type { Command } from 'commander';
import { refuse } from '../../contract/rules/errors.ts';
import { withApp } from '../session.ts';
import { printTable } from '../table.ts';

export function addPickCommands(program: Command): void {
  program
    .command('pin')
    .description('把一篇公开的文章置顶在首页的「值得一读」，最多 5 篇')
    .argument('<id>', '文章编号，也就是它网址末尾的 24 位')
    .action(pin);
  program.command('unpin').description('取消置顶').argument('<id>', '文章编号').action(unpin);
  program.command('pins').description('列出首页置顶的文章').action(listPins);
}

const idIn = (text: string): string =>
  /[0-9a-f]{24}(?=\/?$)/i.exec(text.trim())?.[0].toLowerCase() ?? refuse('ARTICLE_NOT_FOUND');

async function pin(text: string): Promise<void> {
  await withApp(({ services }) => services.picks.pin(idIn(text)));
  console.log('已置顶在首页');
}

async function unpin(text: string): Promise<void> {
  await withApp(({ services }) => services.picks.unpin(idIn(text)));
  console.log('已取消置顶');
}

async function listPins(): Promise<void> {
  const pinned = await withApp(({ services }) => services.picks.listPins());
  const rows = pinned.map(({ id, item }) => [id, item.title]);
  const none = '首页还没有置顶的文章，用 moye pin <编号> 置顶一篇';
  printTable(none, [['编号', '标题'], ...rows]);
}
