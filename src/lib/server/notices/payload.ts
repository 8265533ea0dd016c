import type {
  ContentNotice as ContentKind,
  UserNotice,
  WebhookNotice,
} from '../../contract/rules/notice-kinds.ts';
import type { ReportAnswer } from '../shared/report-answer.ts';

export type CommentRole = Extract<UserNotice, 'comment' | 'reply' | 'mention'>;

/** A mail about an account: paragraphs, of which URLs become links. */
export interface WrittenMail {
  subject: string;
  text: string;
  /** Label of the first URL. */
  button?: string | undefined;
}

/** A comment, looked up when it is sent. If it is gone or hidden by then, nothing is sent. */
export interface CommentNotice {
  comment: string;
  as: CommentRole;
}

export interface PlainNotice {
  kind: UserNotice | WebhookNotice;
  title: string;
  /** Quoted in mails. */
  text: string;
  /** The reason of a decision, for mails. */
  note?: string;
  path: string;
  /** The report that it answers: the mail names the item as far as its reader sees it when it is sent. */
  answers?: ReportAnswer;
}

/** A change of public content, described when it is sent; nothing is sent about what is gone by then. */
export interface ContentNotice {
  event: ContentKind;
  time: number;
  /** Id of the article or comment, or a username. */
  of: string;
}

export type Payload = WrittenMail | CommentNotice | PlainNotice | ContentNotice;

export const isWritten = (payload: Payload): payload is WrittenMail => 'subject' in payload;
export const isComment = (payload: Payload): payload is CommentNotice => 'comment' in payload;
export const isContent = (payload: Payload): payload is ContentNotice => 'event' in payload;

export function aboutOf(text: string): { kind: string; title: string } {
  const payload = JSON.parse(text) as Payload;
  if (isWritten(payload)) return { kind: 'mail', title: payload.subject };
  if (isComment(payload)) return { kind: payload.as, title: '' };
  if (isContent(payload)) return { kind: payload.event, title: '' };
  return { kind: payload.kind, title: payload.title };
}
