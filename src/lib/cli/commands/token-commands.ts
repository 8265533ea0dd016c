import type { Command } from 'commander';
import { refuse } from '../../contract/rules/errors.ts';
import { formatDay } from '../../shared/time.ts';
import { withApp } from '../session.ts';
import { printTable } from '../table.ts';

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('管理访问令牌');
  token
    .command('list')
    .description('列出访问令牌：谁的、能做什么、最近在哪里用过')
    .option('--user <name>', '只列这个用户的')
    .action(listTokens);
  token
    .command('revoke')
    .description('撤销一个访问令牌，马上生效，并邮件告诉它的主人')
    .argument('<id>', '令牌编号，见 moye token list')
    .action(revokeToken);
}

async function listTokens({ user: name }: { user?: string }): Promise<void> {
  const rows = await withApp(async ({ services: { accessTokens, users }, config }) => {
    const user = name === undefined ? undefined : ((await users.find(name)) ?? refuse('USER_NOT_FOUND'));
    const day = (instant: string) => formatDay(instant, config.siteTimeZone);
    return (await accessTokens.listAll(user?._id)).map((token) => [
      token.id,
      token.username,
      token.name,
      token.scopes.join(' '),
      day(token.expire_time),
      token.last_used === null ? '' : day(token.last_used),
      token.last_address,
    ]);
  });
  const head = ['编号', '用户', '名称', '权限', '有效到', '最近使用', '来自'];
  printTable('没有访问令牌', [head, ...rows]);
}

async function revokeToken(id: string): Promise<void> {
  const { name, username } = await withApp(({ services: { accessTokens, audit } }) =>
    accessTokens.revokeAny(id, (trx, token) =>
      audit.write(trx, {
        actorId: null,
        action: 'user.revoke_token',
        subject: { kind: 'user', id: token.userId },
        before: { username: token.username, name: token.name },
        after: {},
      }),
    ),
  );
  console.log(`已撤销 ${username} 的访问令牌「${name}」`);
}
