import type { NotificationKind, NotificationResult } from '../../contract/rules/notice-kinds.ts';
import { REPORT_KINDS } from '../../contract/rules/report-reasons.ts';
import { banSpan } from '../shared/ban-text.ts';
import { answerTo, type ReportAnswer } from '../shared/report-answer.ts';

export interface NotificationData {
  result: NotificationResult;
  text: string;
  reason: string;
  path: string;
  /** End of a ban, in milliseconds since the epoch; null for a permanent one. */
  until?: number | null;
  /** Whether the end of a ban restores what it has hidden. */
  restores?: boolean;
  /** Numbers of articles and comments that a ban hides. */
  articles?: number;
  comments?: number;
}

/** A notification of one user. */
export interface NewNotification {
  userId: string;
  kind: NotificationKind;
  subject: { kind: string; id: string };
  data: NotificationData;
}

const NAMES: Readonly<Record<string, string>> = REPORT_KINDS;

type Content = Pick<NewNotification, 'subject' | 'data'>;

/** Whether the text is the title of an article. */
const isTitled = ({ subject }: Content): boolean => subject.kind === 'article';

/** Returns the parts of the mail, which names an article in its title. */
export function mailOf(content: Content, timeZone: string): { title: string; text: string; note: string } {
  const { result, text, reason } = content.data;
  const isInTitle = result === 'removed' || isTitled(content);
  const title = titleOf(content, timeZone, true);
  return { title, text: isInTitle ? '' : text, note: reason === '' ? '' : `理由：${reason}` };
}

/** Returns the sentence that says what has happened; `isNamed` adds the title of an article. */
export function titleOf({ subject, data }: Content, timeZone: string, isNamed = false): string {
  const kind = NAMES[subject.kind] ?? '内容';
  const name = isNamed && isTitled({ subject, data }) ? `${kind}《${data.text}》` : kind;
  switch (data.result) {
    case 'approved':
      return `你的${name}通过了审核，现在所有人都看得到了`;
    case 'restored':
      return `你的${name}已恢复，现在所有人都看得到了`;
    case 'refused':
      return `你的${name}没有通过审核`;
    case 'hidden':
      return `你的${name}已被隐藏`;
    case 'deleted':
      return `你的${name}已被删除`;
    case 'change_approved':
      return `你对${name}的改动通过了审核`;
    case 'change_refused':
      return `你对${name}的改动没有通过审核`;
    case 'removed':
      return `你的${data.text}已被移除`;
    case 'banned':
      return banTitle(data, timeZone);
    case 'unbanned':
      return `你的账号已解除封禁，可以登录了${data.restores ? '；随封禁隐藏的文章和评论会恢复显示' : ''}`;
    case 'upheld':
    case 'dismissed':
      return `你${answerTo({ reported: subject as ReportAnswer['reported'], result: data.result })}`;
  }
}

function banTitle({ until = null, articles = 0, comments = 0 }: NotificationData, timeZone: string): string {
  const counts = [
    ...(articles > 0 ? [`${articles} 篇文章`] : []),
    ...(comments > 0 ? [`${comments} 条评论`] : []),
  ].join('、');
  return `你的账号已被${banSpan(until, timeZone)}${counts === '' ? '' : `，${counts}同时隐藏`}`;
}
