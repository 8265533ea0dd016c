import type { Loss } from './foreign-site.ts';

export type SiteReport = ReturnType<typeof emptyReport>;

export const emptyReport = (product: string, isDryRun: boolean) => ({
  product,
  isDryRun,
  wasStopped: false,
  users: { created: 0, mapped: 0, known: 0 },
  tags: 0,
  series: 0,
  articles: { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
  /** `held`: pending ones among those created. */
  comments: { created: 0, held: 0, known: 0, lost: 0 },
  pictures: 0,
  /** Pages of the site among the created articles. */
  pages: 0,
  navigation: 0,
  friends: 0,
  notes: [] as Loss[],
});

export function describeSite(report: SiteReport): string[] {
  const { users, articles, comments, pages, navigation, friends, notes } = report;
  const lines: string[] = [];
  if (notes.length > 0) lines.push(`要知道的 ${notes.length} 条：`, ...notes.map(lineOf), '');
  if (report.isDryRun) lines.push('试运行，没有写入任何内容。');
  if (report.wasStopped) lines.push('导入已中断，已导入的内容都已保存；再次运行同样的命令会接着导入。');
  const skipped = articles.skipped > 0 ? `，跳过 ${articles.skipped}` : '';
  const held = comments.held > 0 ? `（其中 ${comments.held} 条等待审核）` : '';
  const placed = pages > 0 ? `（其中 ${pages} 个页面）` : '';
  const entries = [
    navigation > 0 ? `，导航 ${navigation} 项` : '',
    friends > 0 ? `，友链 ${friends} 个` : '',
  ].join('');
  lines.push(
    `${report.product}：`,
    `  用户  新建 ${users.created}，对应到已有账号 ${users.mapped}，上次已导入 ${users.known}`,
    `  标签  新增 ${report.tags}，专栏 新增 ${report.series}，图片 ${report.pictures} 张${entries}`,
    `  文章  新增 ${articles.created}${placed}，更新 ${articles.updated}，未变 ${articles.unchanged}${skipped}，失败 ${articles.failed}`,
    `  评论  新增 ${comments.created}${held}，上次已导入 ${comments.known}，没有导入 ${comments.lost}`,
  );
  return lines;
}

const lineOf = ({ what, why, count }: Loss): string =>
  `  ${what}${count === undefined ? '' : `（${count}）`}：${why}`;
