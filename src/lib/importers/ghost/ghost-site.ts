import type { ForeignSite, ForeignTag, ForeignUser, Loss, SourceOptions } from '../site/foreign-site.ts';
import { decodeAddress } from '../../markdown/decode-address.ts';
import { orClose } from '../or-close.ts';
import { pagesLoss, realLosses } from '../site/losses.ts';
import { userNames } from '../site/user-names.ts';
import { articleOf } from './article.ts';
import { addressOf } from './content.ts';
import { openExport, type ExportFile } from './export-file.ts';
import { readTables } from './rows.ts';
import { isPage, scan, type Index } from './scan.ts';

/**
 * Opens a Ghost export: JSON, or a zip with `content/images`. Each stream reads the file again, one row at a
 * time; only the index of the first pass stays in memory.
 * @throws Problem or the system's error if a file cannot be read completely
 */
export async function openGhost(path: string, options: SourceOptions): Promise<ForeignSite> {
  const file = await openExport(path, options.uploads);
  return orClose(file, async () => siteOf(file, await scan(file), options));
}

function siteOf(file: ExportFile, index: Index, options: SourceOptions): ForeignSite {
  const hosts = new Set(options.origins.map((origin) => URL.parse(origin)?.host));
  return {
    product: 'Ghost',
    identity: index.identity,
    origins: options.origins,
    users: () => users(index),
    tags: () => tags(index),
    series: () => [],
    async *articles() {
      for await (const { table, row } of readTables(file.json()))
        if (table === 'posts' && (options.pages || !isPage(row)))
          yield articleOf(row, index, options.origins[0], options.omitsHidden ?? false);
    },
    comments: () => [],
    navigation: () => index.navigation,
    friends: () => index.friends,
    async picture(address) {
      const url = URL.parse(addressOf(address), 'https://ghost-export.invalid');
      const isOwn = url?.hostname === 'ghost-export.invalid' || hosts.has(url?.host);
      const path = url && isOwn ? imageIn(url.pathname) : '';
      return path === '' ? null : file.picture(path);
    },
    losses: () => lossesOf(index, options),
    close: () => file.close(),
  };
}

function imageIn(pathname: string): string {
  const [, path = ''] = /\/content\/images\/(.+)$/.exec(pathname) ?? [];
  return decodeAddress(path);
}

function* users({ users: all }: Index): Generator<ForeignUser> {
  const nameOf = userNames();
  for (const { id, name, slug, email, bio, avatar, created } of all.values())
    yield {
      key: id,
      username: nameOf(name, slug || name),
      email: email || undefined,
      bio: bio || undefined,
      avatar: addressOf(avatar) || undefined,
      created,
    };
}

function* tags({ tags: all }: Index): Generator<ForeignTag> {
  for (const { name, description, isInternal, created } of all.values())
    if (!isInternal && name !== '') yield { name, description, created };
}

/** Tables without data that users would miss. */
const SILENT =
  /^(?:roles|permissions|settings|brute|sessions|migrations|posts_products|post_revisions|mobiledoc_revisions|custom_theme_settings|temp_|actions|jobs|tokens|invites|suppressions|milestones|collections)|_(?:roles|users|permissions|posts)$/;
const TABLES: Record<string, string> = {
  members: '会员',
  products: '会员等级',
  tiers: '会员等级',
  newsletters: '邮件通讯',
  emails: '发出的邮件',
  offers: '优惠',
  snippets: '编辑器里的片段',
  labels: '会员标签',
  webhooks: 'Webhook',
  integrations: '集成',
  subscribers: '订阅者',
  comments: '评论',
};

function lossesOf({ rows, pages, tags: all }: Index, { pages: takesPages }: SourceOptions): Loss[] {
  const internal = [...all.values()].filter(({ isInternal }) => isInternal).length;
  return realLosses([
    pagesLoss(pages, takesPages),
    { what: '内部标签（#）', why: '读者看不到，没有导入', count: internal },
    ...[...rows].flatMap(([table, count]) =>
      SILENT.test(table) ? [] : [{ what: TABLES[table] ?? `数据表 ${table}`, why: '没有导入', count }],
    ),
  ]);
}
