import type { NotificationKind } from '../../../contract/rules/notice-kinds.ts';

export interface NoticeSchema {
  notifications: NotificationsTable;
  outbox: OutboxTable;
  webhooks: WebhooksTable;
  /**
   * E-mail settings of a user; without a row, `DEFAULTS` of notices/setting-queries.ts apply. `kinds` are
   * comma-separated `UserNotice`s (rules/notice-kinds.ts).
   */
  notice_settings: {
    user_id: string;
    mode: 'off' | 'now' | 'daily';
    kinds: string;
  };
}

/** An entry of a user's list inside the site. */
export interface NotificationsTable {
  id: string;
  recipient_id: string;
  kind: NotificationKind;
  /** An article, comment, user, or another item that has an id. */
  subject_kind: string;
  subject_id: string;
  /** `NotificationData` as JSON (notifications/notification-data.ts). */
  data: string;
  create_time: number;
  /** Null while it is unread. */
  read_time: number | null;
}

export interface OutboxTable {
  id: string;
  /** Groups notices that are sent together; the receiver gets this id with each attempt. */
  delivery: string;
  /** `own`: webhooks of authors. */
  lane: 'mail' | 'webhook' | 'own';
  /** An e-mail address or a user's id; for a webhook, its id. */
  target: string;
  /** Deduplicates: of notices with the same key only the first is kept. Null disables this. */
  unique_key: string | null;
  /**
   * Notices to a target with the same subject are sent one after the other, and kept after sending. Null for
   * other notices.
   */
  subject: string | null;
  /** Content as JSON (notices/payload.ts); '' after sending, unless it has a subject. */
  payload: string;
  create_time: number;
  /** Earliest time to send it; postponed while a process is sending it. */
  due_time: number;
  /** A failed attempt after this time is the last. */
  give_up_time: number;
  tries: number;
  state: 'waiting' | 'sent' | 'dead';
  /** When it was sent or abandoned; 0 before. */
  settle_time: number;
  problem: string;
}

export interface WebhooksTable {
  id: string;
  /** The author whose content it reports; null for the site's. */
  owner_id: string | null;
  name: string;
  format: 'json' | 'wecom' | 'dingtalk' | 'feishu';
  /** The part of its address that may be shown: scheme and host. */
  place: string;
  /** Address and secret, encrypted; neither is ever shown again. */
  sealed: string;
  /** Comma-separated `WebhookNotice`s (rules/notice-kinds.ts). */
  kinds: string;
  is_on: 0 | 1;
  create_time: number;
}
