import type { Command } from 'commander';
import { obtainPassword, type PasswordSource } from './password.ts';
import { withApp } from './session.ts';
import { table } from './table.ts';

/** `moye user add|passwd|list`. */
export function addUserCommands(program: Command): void {
  const user = program.command('user').description('管理账号');
  const withPassword = (command: Command): Command =>
    command.option('--password-stdin', '从标准输入读取密码').option('--generate', '生成一个密码并显示出来');

  withPassword(
    user
      .command('add')
      .description('新建账号')
      .argument('<name>', '用户名')
      .option('--bio <text>', '个人简介', ''),
  ).action(addUser);
  withPassword(
    user.command('passwd').description('修改密码，并退出该用户的所有登录').argument('<name>', '用户名'),
  ).action(changePassword);
  user.command('list').description('列出所有账号').action(listUsers);
}

async function addUser(name: string, options: PasswordSource & { bio: string }): Promise<void> {
  const { password, isGenerated } = await obtainPassword(options);
  const { username } = await withApp(({ services }) =>
    services.accounts.add({ username: name, password, bio: options.bio }),
  );
  console.log(`已创建用户 ${username}`);
  if (isGenerated) console.log(`密码：${password}`);
}

async function changePassword(name: string, options: PasswordSource): Promise<void> {
  const { password, isGenerated } = await obtainPassword(options);
  await withApp(async ({ services }) => {
    await services.users.detail(name);
    await services.accounts.setPassword(name, password);
  });
  console.log(`已修改 ${name} 的密码，并退出其所有登录`);
  if (isGenerated) console.log(`密码：${password}`);
}

async function listUsers(): Promise<void> {
  const [users, timeZone] = await withApp(async ({ services, config }) => [
    await services.users.listUsers(),
    config.siteTimeZone,
  ]);
  if (users.length === 0) {
    console.log('还没有用户，用 moye user add <用户名> 新建一个');
    return;
  }
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const rows = users.map((user) => [
    user.username,
    String(user.page_num),
    String(user.draft_num),
    date.format(new Date(user.create_time)),
  ]);
  for (const line of table(
    [['用户名', '文章', '草稿', '创建日期'], ...rows],
    ['start', 'end', 'end', 'start'],
  ))
    console.log(line);
}
