import { isRefusal } from '../contract/rules/errors.ts';
import { explain, isClear } from '../server/operations/explain.ts';
import { isByPlace } from './folder/pages.ts';

/** Result for a file. `skipped`: changed in the folder, but edited or deleted on the site. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';

export interface Report {
  isDryRun: boolean;
  wasStopped: boolean;
  total: number;
  counts: Record<Outcome, number>;
  failures: { path: string; reason: string }[];
  warnings: { path: string; text: string }[];
  /** Pages of the site that were left out, and why they count as pages. */
  pages: { path: string; reason: string }[];
  /** Number of created pages of this site, and of added entries of its navigation. */
  made: number;
  makesPages: boolean;
  navigation: number;
  friends: number;
  unused: { name: string; count: number }[];
}

export function describe(report: Report): string[] {
  const { counts, failures, warnings, pages, unused } = report;
  const placed = pages.filter(({ reason }) => isByPlace(reason)).length;
  const offer =
    placed > 0 ? `；其中 ${placed} 个只是位置像页面，加 --pages-as-articles 作为公开的文章导入` : '';
  const how = report.makesPages
    ? '本站自己有这样的列表，或者它没有正文'
    : `加 --pages 导入为仅自己可见${offer}`;
  const lines = [
    ...part(`警告 ${warnings.length} 条：`, warnings, ({ path, text }) => `${path}：${text}`),
    ...part(
      `${pages.length} 个页面不是文章，没有导入（${how}）：`,
      pages,
      ({ path, reason }) => `${path}：${reason}`,
    ),
    ...part(
      '文件开头的这些信息没有对应的字段，没有导入：',
      unused,
      ({ name, count }) => `${name}（${count} 个文件）`,
    ),
    ...part(
      `${failures.length} 个文件${report.isDryRun ? '将无法导入' : '没有导入'}：`,
      failures,
      ({ path, reason }) => `${path}：${reason}`,
    ),
  ];
  if (report.isDryRun) lines.push('试运行，没有写入任何内容。');
  if (report.wasStopped) lines.push('导入已中断，已导入的文章都已保存；再次运行会接着导入。');
  const skipped = counts.skipped > 0 ? `跳过 ${counts.skipped}，` : '';
  const { made, navigation, friends } = report;
  if (made + navigation + friends > 0)
    lines.push(`新增的文章里有 ${made} 个页面，导航加了 ${navigation} 项，友链加了 ${friends} 个`);
  const left = pages.length > 0 ? `页面 ${pages.length}，` : '';
  lines.push(
    `共 ${report.total} 个文件：新增 ${counts.created}，更新 ${counts.updated}，未变 ${counts.unchanged}，${skipped}${left}失败 ${counts.failed}，警告 ${warnings.length}`,
  );
  return lines;
}

function part<T>(title: string, entries: readonly T[], line: (entry: T) => string): string[] {
  return entries.length === 0 ? [] : [title, ...entries.map((entry) => `  ${line(entry)}`), ''];
}

/**
 * Whether an error ends the whole run: storage is full, unavailable or read-only. Other errors concern the
 * current file, picture or row only.
 */
export const endsRun = (error: unknown): boolean => isRefusal(error) && error.status >= 500;

/** Returns one line about an item of a report. Logs the stack of an error that has no sentence. */
export function explainInReport(error: unknown): string {
  if (error instanceof Error && isClear(error)) return explain(error);
  console.error(error);
  return '程序出错，详情见命令的错误输出';
}
