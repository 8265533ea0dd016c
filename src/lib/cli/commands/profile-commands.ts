import type { Command } from 'commander';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import { withApp } from '../session.ts';

const MAX_SHOWN_PICTURES = 100;

export function addProfileCommands(program: Command): void {
  const profile = program.command('profile').description('看、移除账号的公开资料');
  profile
    .command('show')
    .description('列出一个账号的公开资料，和移除它们要用的编号')
    .argument('<name>', '用户名')
    .option('--page <number>', '图片的第几页', '1')
    .action(showProfile);
  profile
    .command('remove')
    .description('移除一项资料：用户名和专栏名称换成别的，其余清空，图片删除')
    .argument('<kind>', 'user、series、tag、picture')
    .argument('<id>', '用户名、专栏或标签的编号、图片的文件名')
    .argument(
      '<field>',
      '资料的名字，如 username、display_name、bio、website、profile_links、avatar、title、description、cover、file',
    )
    .requiredOption('--reason <text>', '理由，对方会看到')
    .action(removeField);
}

async function showProfile(name: string, options: { page: string }): Promise<void> {
  const page = Math.max(1, Math.trunc(Number(options.page)) || 1);
  const found = await withApp(({ services }) =>
    services.profiles.read({ username: name, page, pageSize: MAX_SHOWN_PICTURES }),
  );
  console.log(`用户名：${found.username}${found.is_hidden ? '（封禁期间不公开）' : ''}`);
  if (found.avatar !== '') console.log(`头像：${found.avatar}`);
  if (found.bio !== '') console.log(`个人简介：${found.bio}`);
  for (const { _id, title, description, cover } of found.series)
    console.log(
      [`专栏 ${_id}：${title}`, description && `介绍：${description}`, cover && `封面：${cover}`]
        .filter(Boolean)
        .join('，'),
    );
  for (const { _id, name: tag, description } of found.tags)
    console.log(`标签 ${_id}：${tag}，描述：${description}`);
  for (const url of found.pictures) console.log(`图片 ${url.slice(PICTURE_URL.length)}`);
  if (found.picture_num > page * MAX_SHOWN_PICTURES)
    console.log(`共 ${found.picture_num} 张图片，下一页用 --page ${page + 1}`);
}

async function removeField(
  kind: string,
  id: string,
  field: string,
  { reason }: { reason: string },
): Promise<void> {
  const now = await withApp(({ services }) => services.profiles.removeTyped({ kind, id, field, reason }));
  console.log(now === '' ? '已移除' : `已移除，现在是「${now}」`);
}
