/** What became of a file. `skipped`: changed in the folder, but edited or deleted on the site. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';

/** What an import has done, or with `isDryRun` would do. */
export interface Report {
  isDryRun: boolean;
  wasStopped: boolean;
  /** Markdown files found. */
  total: number;
  counts: Record<Outcome, number>;
  failures: { path: string; reason: string }[];
  warnings: { path: string; text: string }[];
}

/** Lines for the operator: warnings, failures with their reasons, numbers. */
export function describe(report: Report): string[] {
  const { counts, failures, warnings } = report;
  const lines: string[] = [];
  if (warnings.length > 0) {
    lines.push(`警告 ${warnings.length} 条：`, ...warnings.map(({ path, text }) => `  ${path}：${text}`), '');
  }
  if (failures.length > 0) {
    const verb = report.isDryRun ? '将无法导入' : '没有导入';
    lines.push(
      `${failures.length} 个文件${verb}：`,
      ...failures.map(({ path, reason }) => `  ${path}：${reason}`),
      '',
    );
  }
  if (report.isDryRun) lines.push('试运行，没有写入任何内容。');
  if (report.wasStopped) lines.push('导入已中断，已导入的文章都已保存；再次运行会接着导入。');
  const skipped = counts.skipped > 0 ? `跳过 ${counts.skipped}，` : '';
  lines.push(
    `共 ${report.total} 个文件：新增 ${counts.created}，更新 ${counts.updated}，未变 ${counts.unchanged}，${skipped}失败 ${counts.failed}，警告 ${warnings.length}`,
  );
  return lines;
}
