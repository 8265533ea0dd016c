import type { Command } from 'commander';
import type { Services } from '../../server/services.ts';
import { may } from '../../contract/rules/permissions.ts';
import { isImportedHost } from '../../contract/rules/pictures.ts';
import type { Viewer } from '../../server/auth/auth-service.ts';
import { UsageError } from '../../server/operations/explain.ts';
import { readOldSite } from '../../importers/old-site.ts';
import { addMoyeCommand } from './import-moye-command.ts';
import { describe } from '../../importers/report.ts';
import { importFolder } from '../../importers/folder/run.ts';
import { generatePassword } from '../password.ts';
import { withBars } from '../progress.ts';
import { withApp } from '../session.ts';
import { addSiteImportCommands, OMIT_HIDDEN } from './import-site-commands.ts';

interface Options {
  author: string;
  dryRun: boolean;
  createAuthor: boolean;
  force: boolean;
  fetchPictures: boolean;
  pages?: boolean;
  pagesAsArticles: boolean;
  omitHidden: boolean;
  fromUrl?: string;
}

export function addImportCommands(program: Command): void {
  const parent = program.command('import').description('从别处导入文章');
  addMoyeCommand(parent);
  addSiteImportCommands(parent);
  parent
    .command('markdown')
    .description('导入一个文件夹里的 Markdown 文章（Hexo、Hugo、Jekyll、VuePress、Astro 或普通文件）')
    .argument('<folder>', '文件夹')
    .requiredOption('--author <name>', '文章归谁所有')
    .option('--dry-run', '只报告会发生什么，不写入', false)
    .option('--create-author', '作者不存在时新建账号，并显示生成的密码', false)
    .option('--force', '覆盖在站内修改过的文章，重新导入在站内删除的文章', false)
    .option('--fetch-pictures', '把别的网站上的图片存到本站（不加时只存 PICTURE_HOSTS 里的）', false)
    .option('--pages', '导入关于、友链等页面：作者是站长时成为网站的页面（默认），否则仅自己可见')
    .option('--no-pages', '不导入页面，只列出')
    .option('--pages-as-articles', '只因所在位置算作页面的文件，作为公开的文章导入', false)
    .option('--omit-hidden', OMIT_HIDDEN, false)
    .option('--from-url <url>', '旧站地址：指向它的链接改成站内文章，找不到的留作旧站的完整地址')
    .action(importMarkdown);
}

async function importMarkdown(folder: string, options: Options): Promise<void> {
  const oldSite = options.fromUrl === undefined ? null : readOldSite(options.fromUrl);
  if (options.fromUrl !== undefined && !oldSite)
    throw new UsageError('--from-url 应是旧站的完整地址，例如 https://old.example');
  const report = await withApp(
    async ({ services, config }) => {
      const author = await findAuthor(services, options);
      return withBars((signal, show) =>
        importFolder(services.imports, {
          folder,
          author,
          isDryRun: options.dryRun,
          force: options.force,
          takesPages: options.pages,
          makesPages: may(author.role, 'pages.manage'),
          takesPlacedPages: options.pagesAsArticles,
          omitsHidden: options.omitHidden,
          oldSite,
          importsPicture: (address) => options.fetchPictures || isImportedHost(address, config.pictureHosts),
          signal,
          onProgress: (done, total) => show('导入', done, total),
        }),
      );
    },
    { canBegin: options.createAuthor && !options.dryRun },
  );
  if (report.total === 0) throw new UsageError('文件夹里没有 Markdown 文件（.md、.markdown、.mdx）');
  for (const line of describe(report)) console.log(line);
  if (report.wasStopped) process.exitCode = 130;
  else if (report.counts.failed === report.total) process.exitCode = 1;
}

async function findAuthor(
  { users, accounts }: Services,
  { author: name, createAuthor, dryRun }: Options,
): Promise<Viewer> {
  const found = await users.find(name);
  if (found) {
    const named = { id: found._id, username: found.username };
    const { role } = await users.info(found.username, named);
    return { ...named, signinId: '', origin: 'import', ...(role && { role }) };
  }
  if (!createAuthor)
    throw new UsageError(`没有用户 ${name}：先用 moye user add ${name} 新建，或加上 --create-author`);
  if (dryRun) return { id: '', username: name, signinId: '', origin: 'import' };
  const password = generatePassword();
  const { id, username } = await accounts.add({ username: name, password, bio: '' });
  console.log(`已创建用户 ${username}，密码：${password}`);
  return { id, username, signinId: '', origin: 'import' };
}
