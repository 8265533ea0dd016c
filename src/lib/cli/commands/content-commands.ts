import type { Command } from 'commander';
import type { Takedown } from '../../contract/calls/review-calls.ts';
import { UsageError } from '../../server/operations/explain.ts';
import { withApp } from '../session.ts';

const KINDS = { article: '文章', comment: '评论' } as const;
type Kind = keyof typeof KINDS;

const COMMANDS: readonly [action: Takedown, text: string, done: string][] = [
  ['hide', '隐藏文章或评论：只有作者看得到，并看到理由', '已隐藏'],
  ['restore', '恢复被隐藏、删除的文章或评论，也用来通过等待审核的', '已恢复'],
  ['delete', '删除文章或评论，30 天内可以恢复', '已删除'],
];

export function addContentCommands(program: Command): void {
  const content = program.command('content').description('隐藏、恢复、删除文章和评论');
  for (const [action, text, done] of COMMANDS)
    content
      .command(action)
      .description(text)
      .argument('<kind>', 'article（文章）或 comment（评论）', kindIn)
      .argument('<id...>', '编号')
      .option('--reason <text>', '理由，作者会看到', '')
      .action((kind: Kind, ids: string[], options: { reason: string }) =>
        decide(kind, ids, { action, note: options.reason, done }),
      );
}

function kindIn(word: string): Kind {
  if (word === 'article' || word === 'comment') return word;
  throw new UsageError(`没有 ${word} 这种内容，可以是 ${Object.keys(KINDS).join('、')}`);
}

async function decide(
  kind: Kind,
  ids: string[],
  { action, note, done }: { action: Takedown; note: string; done: string },
): Promise<void> {
  const wrong = ids.find((id) => !/^[0-9a-f]{24}$/i.test(id));
  if (wrong !== undefined) throw new UsageError(`${wrong} 不是编号：编号是 24 位十六进制数，在地址里`);
  const asked = ids.map((id) => id.toLowerCase());
  const changed = await withApp(({ services }) =>
    services.takedowns.decide(kind, { ids: asked, action, note }, null),
  );
  for (const id of asked)
    console.log(changed.includes(id) ? `${done}${KINDS[kind]} ${id}` : `${id} 没有变化：已经如此，或不存在`);
}
