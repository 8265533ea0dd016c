export interface NoticeSchema {
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
