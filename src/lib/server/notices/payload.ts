import type { UserNotice, WebhookNotice } from '../../contract/notice-kinds.ts';

/** Why somebody is told of a comment. */
export type CommentRole = Extract<UserNotice, 'comment' | 'reply' | 'mention'>;

/** A mail that is written already. */
export interface WrittenMail {
  subject: string;
  text: string;
  html?: string | undefined;
}

/** A comment, looked up when it is sent: one that is gone by then, or hidden, is told nobody. */
export interface CommentNotice {
  comment: string;
  as: CommentRole;
}

/** What is said as it stands. */
export interface PlainNotice {
  kind: UserNotice | WebhookNotice;
  title: string;
  text: string;
  /** Path of the page it is about. */
  path: string;
}

/** What a row of the outbox says, as JSON. */
export type Payload = WrittenMail | CommentNotice | PlainNotice;

export const isWritten = (payload: Payload): payload is WrittenMail => 'subject' in payload;
export const isComment = (payload: Payload): payload is CommentNotice => 'comment' in payload;

/** What a payload is about, for the operator's list: a kind, and a title where it has one of its own. */
export function aboutOf(text: string): { kind: string; title: string } {
  const payload = JSON.parse(text) as Payload;
  if (isWritten(payload)) return { kind: 'mail', title: payload.subject };
  if (isComment(payload)) return { kind: payload.as, title: '' };
  return { kind: payload.kind, title: payload.title };
}
