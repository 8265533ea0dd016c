import type { NewArticle } from '../../src/lib/contract/article-fields.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { exportTo } from '../../src/lib/server/operations/export.ts';
import type { Manifest } from '../../src/lib/server/export/format.ts';
import type { ReimportOptions, ReimportReport } from '../../src/lib/server/export/reimport-report.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { digestsOf, type BackupStage, type Home } from './backup-stage.ts';
import { openSite } from './move-stage.ts';

/**
 * Tables that an export restores exactly. The HTML of articles is rendered again, possibly by another
 * version.
 */
const SAME = [
  'users',
  'user_emails',
  'identities',
  'tags',
  'series',
  'articles',
  'article_revisions',
  'article_schedules',
  'article_versions',
  'article_reads',
  'month_reads',
  'trash',
  'article_tags',
  'comments',
  'comment_recipients',
  'withheld_items',
  'withheld_comments',
  'files',
  'counters',
  'article_days',
  'former_paths',
  'pages',
  'page_slugs',
  'friends',
] as const;

export const signal = new AbortController().signal;
export const openHome = (home: Home) => openSite(home.dataDir, home.storage.settings);

/** Exports a whole site, or the data of one author. */
export const exportFrom = (
  home: Home,
  target: string,
  options: { author?: string; withAccounts?: boolean; signal?: AbortSignal } = {},
): Promise<Manifest> =>
  exportTo(
    { site: home.places, author: options.author ?? null, withAccounts: options.withAccounts ?? true, target },
    { signal: options.signal ?? signal, onProgress: () => {} },
  );

/** Imports an export into a site. */
export async function importInto(
  home: Home,
  path: string,
  options: Partial<ReimportOptions> = {},
): Promise<ReimportReport> {
  const app = await openHome(home);
  try {
    const usual = { isDryRun: false, withAccounts: true, author: null, signal, onProgress: () => {} };
    return await app.services.reimport(path, { ...usual, ...options });
  } finally {
    await app.close();
  }
}

/** Returns the digests of the tables that an export restores exactly. */
export async function sameDigests(home: Home, more: readonly string[] = []): Promise<Record<string, string>> {
  const digests = await digestsOf(home.address);
  return Object.fromEntries([...SAME, ...more].map((table) => [table, digests[table] ?? '']));
}

export const TITLES = ['CON', '..', 'a/b\\c:*?"<>|', '👨‍👩‍👧 表情', '同名', '同名', '很长'.repeat(60), '#1 100%'];

/** Creates a site with rows in every table, and with texts and pictures that are easily lost. */
export async function richSite(stage: BackupStage): Promise<Home & { pictures: string[] }> {
  const site = await stage.site();
  const app = await openSite(site.dataDir);
  try {
    return { ...site, pictures: await addTexts(app.services) };
  } finally {
    await app.close();
  }
}

async function addTexts(services: Awaited<ReturnType<typeof openSite>>['services']): Promise<string[]> {
  const viewerOf = async (name: string): Promise<Viewer> => {
    const user = await services.users.find(name);
    return { id: user?._id ?? '', username: name, signinId: '', origin: '' };
  };
  const [author, reader] = [await viewerOf('作者'), await viewerOf('读者')];
  const { articles, comments, files, takedowns } = services;
  const save = async (viewer: Viewer, size: number) =>
    (await files.saveImage(viewer, await twoColours(size, size).png().toBuffer())).url;
  const [own, hers] = [await save(author, 40), await save(reader, 50)];
  await services.users.changeThanks(author, own);
  const write = async (viewer: Viewer, title: string, content: string, more: Partial<NewArticle> = {}) => {
    const fields = {
      title,
      content,
      tags: ['图'],
      type: '',
      status: 'normal' as const,
      secret: false,
      ...more,
    };
    return (await articles.create(fields, viewer)).id;
  };
  for (const title of TITLES) await write(author, title, `正文 ${title}`);
  const shown = `![甲](${own} "说明")\n\n<img src="${own}" alt="">\n\n[乙]: ${own}\n\n\`${own}\`\n\n![](${hers})`;
  const id = await write(author, '有图', shown);
  const name = own.slice(own.lastIndexOf('/') + 1);
  const blank = { page_id: id, request_id: '', reply_user: '', reply_content: '' };
  await write(author, '像导出的图', `![](../pictures/${name})\n\n![](${own})`);
  await write(author, '分隔线', '---\ntitle: "不是开头"\n---\n\n  缩进\r\n结尾\\');
  for (const step of ['第二稿', '第三稿']) {
    const { update_time } = await articles.readSource(id, author);
    const fields = {
      title: `有图 ${step}`,
      content: `${shown}\n\n${step}`,
      tags: ['图'],
      type: '',
      secret: false,
    };
    await articles.edit({ ...fields, id, status: 'normal', update_time }, author);
  }
  await write(reader, '读者的草稿', `![](${hers})`, { status: 'draft', cover: hers });
  const hidden = await write(reader, '被隐藏的', '广告');
  await comments.create({ ...blank, page_id: hidden, content: '作者说过的话' }, author);
  await takedowns.decide('article', { ids: [hidden], action: 'hide', note: '广告' }, null);
  const { _id } = await comments.create({ ...blank, content: '@作者 读过的' }, reader);
  await comments.markRead([_id], author);
  const operator = { ...author, role: 'operator' } as const;
  const link = { url: 'https://a.example/', description: '👨‍👩‍👧 "友"', feed: 'https://a.example/feed' };
  await services.friends.save({ ...link, name: '甲', logo: own, group: '诗人' }, operator);
  await services.friends.save({ ...link, name: '乙', logo: '', group: '' }, operator);
  await services.formerPaths.addAll(
    ['/2020/01/02/有 图/', '/?p=12', 'https://old.example/a%25b.html'].map((address) => ({
      address,
      articleId: id,
    })),
  );
  return [own, hers].map((url) => url.slice(url.lastIndexOf('/') + 1));
}
