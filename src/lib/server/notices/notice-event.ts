import type { ContentNotice } from '../../contract/rules/notice-kinds.ts';
import type { ReportAnswer } from '../shared/report-answer.ts';
import type { NewNotification, NotificationData } from '../notifications/notification-service.ts';
import type { CommentRole, PlainNotice } from './payload.ts';

export type NoticeEvent =
  /** The comment is public or was just approved; each recipient is listed once. */
  | {
      kind: 'comment';
      commentId: string;
      articleId: string;
      /** Author of the article. */
      authorId: string;
      addressees: readonly { userId: string; as: CommentRole }[];
      /** How it became public; absent if it already was. */
      event?: Extract<ContentNotice, `comment.${string}`> | undefined;
    }
  | {
      kind: 'article';
      articleId: string;
      authorId: string;
      event: Extract<ContentNotice, `article.${string}`>;
    }
  /** A decision of staff on the user's own content, also listed inside the site. */
  | {
      kind: 'moderation';
      userId: string;
      subject: NewNotification['subject'];
      data: NotificationData;
      /** Start of the bulk action that it belongs to, in milliseconds: one mail for each author. */
      bulk?: number | undefined;
    }
  /** The answer to a report, also listed inside the site, where it names nothing (decision 0103). */
  | ({ kind: 'answer'; userId: string; text: string; path: string } & ReportAnswer)
  | (PlainText & { kind: 'report' | 'held' })
  | { kind: 'signup'; username: string; path: string };

type PlainText = Omit<PlainNotice, 'kind'> & { uniqueKey?: string };
