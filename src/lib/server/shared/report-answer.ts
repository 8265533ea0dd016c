import type { NotificationResult } from '../../contract/rules/notice-kinds.ts';
import { REPORT_KINDS, type ReportKind } from '../../contract/rules/report-reasons.ts';

/** Decision on the reports of an item. */
export interface ReportAnswer {
  reported: { kind: ReportKind; id: string };
  result: Extract<NotificationResult, 'upheld' | 'dismissed'>;
}

const ANSWERS = { upheld: '已经处理，谢谢你', dismissed: '，站务看过了，没有另外处理' } as const;

/** Answers a report, without the person it addresses; `name` names the item, by default by its kind. */
export function answerTo(
  { reported: { kind }, result }: ReportAnswer,
  name: string = REPORT_KINDS[kind],
): string {
  // Staff bans accounts elsewhere, so dismissed reports of accounts may have led to a ban.
  return `举报的${name}${kind === 'user' ? '，站务已经看过' : ANSWERS[result]}`;
}
