import type { ContentNotice } from '../../contract/rules/notice-kinds.ts';
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
  | (PlainText & { kind: 'moderation'; userId: string })
  | (PlainText & { kind: 'report' | 'held' })
  | { kind: 'signup'; username: string; path: string };

type PlainText = Omit<PlainNotice, 'kind'> & { uniqueKey?: string };
