import type { Command } from 'commander';
import { ROLE_NAMES, ROLES, type Role } from '../../contract/rules/permissions.ts';
import type { Services } from '../../server/services.ts';
import { obtainPassword, type PasswordSource } from '../password.ts';
import { UsageError } from '../../server/operations/explain.ts';
import { formatDay } from '../../shared/time.ts';
import { withApp } from '../session.ts';
import { printTable } from '../table.ts';
import { DAY_MS } from '../../contract/rules/units.ts';

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('管理账号');
  const withPassword = (command: Command): Command =>
    command.option('--password-stdin', '从标准输入读取密码').option('--generate', '生成一个密码并显示出来');

  withPassword(
    user
      .command('add')
      .description('新建账号')
      .argument('<name>', '用户名')
      .option('--bio <text>', '个人简介', '')
      .option('--role <role>', ROLE_HELP, roleIn),
  ).action(addUser);
  withPassword(
    user.command('passwd').description('修改密码，并退出该用户的所有登录').argument('<name>', '用户名'),
  ).action(changePassword);
  user
    .command('role')
    .description('任命或免去站务、站长，马上生效')
    .argument('<name>', '用户名')
    .argument('<role>', ROLE_HELP, roleIn)
    .action(changeRole);
  user
    .command('ban')
    .description('封禁账号：马上退出所有登录，到期前不能登录也不能发布')
    .argument('<name>', '用户名')
    .requiredOption('--reason <text>', '理由，被封禁的人会看到')
    .option('--days <number>', '封禁多少天，不写就是永久', daysIn)
    .option('--hide', '同时隐藏这个账号公开的文章、评论和主页')
    .action(banUser);
  user.command('unban').description('解除封禁').argument('<name>', '用户名').action(unbanUser);
  user
    .command('rescue')
    .description('给进不了账号的人一个链接，用来设新密码')
    .argument('<name>', '用户名')
    .option('--second-factor', '用了这个链接，两步验证和通行密钥也一并去掉', false)
    .action(rescueUser);
  user.command('list').description('列出所有账号').action(listUsers);
}

const ROLE_HELP = `身份：${ROLES.map((role) => `${role}（${ROLE_NAMES[role]}）`).join('、')}`;

function roleIn(word: string): Role {
  const role = ROLES.find((each) => each === word);
  if (!role) throw new UsageError(`没有 ${word} 这种身份，可以是 ${ROLES.join('、')}`);
  return role;
}

async function addUser(name: string, options: PasswordSource & { bio: string; role?: Role }): Promise<void> {
  const { password, isGenerated } = await obtainPassword(options);
  const { role = 'author' } = options;
  const { username } = await withApp(
    async ({ services }) => {
      const added = await services.accounts.add({ username: name, password, bio: options.bio });
      if (role !== 'author') await services.roles.set(added.username, role, null);
      return added;
    },
    { canBegin: true },
  );
  console.log(`已创建用户 ${username}${role === 'author' ? '' : `，身份是${ROLE_NAMES[role]}`}`);
  if (isGenerated) console.log(`密码：${password}`);
}

async function changePassword(name: string, options: PasswordSource): Promise<void> {
  const { password, isGenerated } = await obtainPassword(options);
  await withApp(({ services }) => services.accounts.setPassword(name, password));
  console.log(`已修改 ${name} 的密码，并退出其所有登录`);
  if (isGenerated) console.log(`密码：${password}`);
}

async function changeRole(name: string, role: Role): Promise<void> {
  const { username, before } = await withApp(({ services }) => services.roles.set(name, role, null));
  console.log(
    before === role
      ? `${username} 已经是${ROLE_NAMES[role]}`
      : `${username} 从${ROLE_NAMES[before]}改为${ROLE_NAMES[role]}`,
  );
}

const MAX_BAN_DAYS = 36_500;

function daysIn(word: string): number {
  const days = Number(word);
  if (!(days > 0 && days <= MAX_BAN_DAYS)) throw new UsageError(`天数应是 0 到 ${MAX_BAN_DAYS} 之间的数`);
  return days;
}

async function banUser(
  name: string,
  { reason, days, hide = false }: { reason: string; days?: number; hide?: boolean },
): Promise<void> {
  if (reason.trim() === '') throw new UsageError('请写明理由，被封禁的人会看到');
  const until = days === undefined ? null : Date.now() + days * DAY_MS;
  const order = { username: name, until, reason: reason.trim(), hides: hide };
  const username = await withApp(({ services }) => services.bans.ban(order, null));
  console.log(`已封禁 ${username}${days === undefined ? '，永久' : ` ${days} 天`}，并退出其所有登录`);
}

async function unbanUser(name: string): Promise<void> {
  const username = await withApp(({ services }) => services.bans.unban(name, null));
  console.log(`已解除对 ${username} 的封禁`);
}

async function rescueUser(name: string, options: { secondFactor: boolean }): Promise<void> {
  const { secondFactor: dropsSecondFactor } = options;
  const rescue = ({ recovery, audit }: Services) =>
    recovery.rescue(name, { dropsSecondFactor }, (trx, user) =>
      audit.write(trx, {
        actorId: null,
        action: 'user.rescue',
        subject: { kind: 'user', id: user._id },
        before: { username: user.username },
        after: { dropsSecondFactor },
      }),
    );
  const { username, link, passkeys, isSsoOnly } = await withApp(async ({ services }) => ({
    ...(await rescue(services)),
    isSsoOnly: (await services.operatorSettings.held()).sso.value.isOnly,
  }));
  console.log(`把这个链接交给 ${username} 本人，24 小时内有效，只能用一次：`);
  console.log(link);
  if (dropsSecondFactor)
    console.log(
      passkeys.length > 0
        ? `用了它，两步验证和这些通行密钥一并去掉：${passkeys.join('、')}`
        : '用了它，两步验证一并去掉，没有通行密钥',
    );
  if (isSsoOnly) console.log('设好以后一小时内，可以在 /signin?password 用这个密码登录');
}

async function listUsers(): Promise<void> {
  const rows = await withApp(async ({ services, config }) =>
    (await services.users.listUsers()).map((user) => [
      user.username,
      ROLE_NAMES[user.role],
      String(user.page_num),
      String(user.draft_num),
      formatDay(user.create_time, config.siteTimeZone),
    ]),
  );
  const head = ['用户名', '身份', '文章', '草稿', '创建日期'];
  const none = '还没有用户，用 moye user add <用户名> 新建一个';
  printTable(none, [head, ...rows], [2, 3]);
}
