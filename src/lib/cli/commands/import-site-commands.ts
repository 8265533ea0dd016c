import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { UsageError } from '../../server/operations/explain.ts';
import { importSite } from '../../importers/site/import-site.ts';
import { PRODUCTS, type Product } from '../../importers/site/products.ts';
import { describeSite } from '../../importers/site/site-report.ts';
import { leavable, withBars } from '../progress.ts';
import { withApp } from '../session.ts';

interface Options {
  map: Map<string, string>;
  mergeUsers?: boolean;
  dryRun?: boolean;
  fromUrl: string[];
  uploads?: string;
  pages?: boolean;
  omitHidden?: boolean;
  prefix?: string;
}

/** Description of an option that all imports have. */
export const OMIT_HIDDEN = '略去回复、登录或付费后才能看的部分，文章公开（不加时这样的文章导入为仅自己可见）';

export function addSiteImportCommands(parent: Command): void {
  for (const product of PRODUCTS) {
    const command = parent
      .command(product.name)
      .description(product.description)
      .argument('<path>', product.source)
      .option('--map <old=new>', '来源的用户 old 就是本站的 new，可以写多次', addPair, new Map())
      .option('--merge-users', '同名的用户就是同一个人')
      .option('--from-url <url>', '旧站的网址，指向它的链接和图片换成本站的，可以写多次', addOrigin, [])
      .option('--uploads <folder>', '旧站的图片所在的文件夹')
      .option('--omit-hidden', OMIT_HIDDEN)
      .option('--dry-run', '只报告会发生什么，不写入')
      .action((path: string, options: Options) => runSiteImport(product, path, options));
    for (const [flags, text] of product.options ?? []) command.option(flags, text);
  }
}

async function runSiteImport(product: Product, path: string, options: Options): Promise<void> {
  const { uploads, fromUrl, pages = true, prefix, omitHidden: omitsHidden = false } = options;
  checkSource(path);
  if (uploads !== undefined && !statSync(uploads, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`图片文件夹不存在：${uploads}`);
  const site = await leavable('已停下，没有写入任何内容', () =>
    product.open(path, { origins: fromUrl, uploads, pages, prefix, omitsHidden }),
  );
  try {
    const { dryRun: isDryRun = false } = options;
    const report = await withApp(
      ({ services }) =>
        withBars((signal, show) =>
          importSite(site, services, {
            isDryRun,
            mergesUsers: options.mergeUsers ?? false,
            map: options.map,
            omitsHidden,
            signal,
            onProgress: (step, done, total) => show(TITLES[step], done, total),
          }),
        ),
      { canBegin: !isDryRun },
    );
    for (const line of describeSite(report)) console.log(line);
    if (report.wasStopped) process.exitCode = 130;
  } finally {
    await site.close();
  }
}

/** Rejects pipes: sources are read several times. @throws UsageError */
function checkSource(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`文件或文件夹不存在：${path}`);
  if (!stats.isFile() && !stats.isDirectory())
    throw new UsageError('这不是文件，请先把内容存成一个文件再导入');
}

const TITLES = { read: '读取文章', articles: '导入文章', comments: '导入评论' } as const;

function addPair(written: string, pairs: Map<string, string>): Map<string, string> {
  const at = written.indexOf('=');
  const [from, to] = [written.slice(0, at).trim(), written.slice(at + 1).trim()];
  if (at < 1 || from === '' || to === '') throw new UsageError(`--map 应写作 旧名=新名：${written}`);
  return new Map([...pairs, [from, to]]);
}

function addOrigin(written: string, origins: string[]): string[] {
  const url = URL.parse(written);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`--from-url 应是完整的网址：${written}`);
  return [...origins, url.origin];
}
