import type { Command } from 'commander';
import { UsageError } from '../../server/operations/explain.ts';
import { formatMinute } from '../../shared/time.ts';
import { withApp } from '../session.ts';
import { printTable } from '../table.ts';

export function addInviteCommands(program: Command): void {
  const invite = program.command('invite').description('管理注册用的邀请码');
  invite
    .command('add')
    .description('做一个邀请码，并显示注册的网址')
    .option('--uses <number>', '可以注册几个账号，1–1000', '1')
    .option('--days <number>', '几天里有效，1–365', '7')
    .option('--note <text>', '给谁的，只有站长看得到', '')
    .action(addInvitation);
  invite.command('list').description('列出邀请码，和用它们注册的人').action(listInvitations);
  invite.command('end').description('停用一个邀请码').argument('<code>', '邀请码').action(endInvitation);
}

function wholeIn(text: string, name: string, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most) throw new UsageError(`--${name} 应为 1–${most} 的整数`);
  return number;
}

async function addInvitation(options: { uses: string; days: string; note: string }): Promise<void> {
  const fields = {
    uses: wholeIn(options.uses, 'uses', 1000),
    days: wholeIn(options.days, 'days', 365),
    note: options.note.trim().slice(0, 60),
  };
  const [{ code }, origin] = await withApp(
    async ({ services, config }) => [await services.invitations.add(fields, null), config.origin],
    { canBegin: true },
  );
  console.log(`邀请码 ${code}`);
  console.log(`${origin}/signup?invite=${code}`);
}

async function listInvitations(): Promise<void> {
  const lines = await withApp(async ({ services, config }) =>
    (await services.invitations.list()).map(({ code, note, uses, most_uses, end_time, is_good, guests }) => [
      code,
      `${uses}/${most_uses}`,
      is_good ? formatMinute(end_time, config.siteTimeZone) : '不能再用',
      guests.join('、'),
      note,
    ]),
  );
  const head = ['邀请码', '已用', '有效到', '用它注册的人', '备注'];
  const none = '还没有邀请码，用 moye invite add 做一个';
  printTable(none, [head, ...lines], [1]);
}

async function endInvitation(code: string): Promise<void> {
  await withApp(({ services }) => services.invitations.end(code, null));
  console.log('邀请码已停用');
}
