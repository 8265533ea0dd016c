/** The tables of what is told outside of the site (notices/outbox.ts). */
export interface NoticeSchema {
  outbox: OutboxTable;
  webhooks: WebhooksTable;
  notice_settings: NoticeSettingsTable;
}

/** A notice that is to be sent, or was. */
export interface OutboxTable {
  id: string;
  /** What is sent together: its receiver is told this id with each try. */
  delivery: string;
  lane: 'mail' | 'webhook';
  /** An e-mail address or a user's id; a webhook's id. */
  target: string;
  /** Of two notices with one key the first alone is kept; null for a notice of its own. */
  unique_key: string | null;
  /** What is to be said, as JSON (notices/payload.ts); empty once it was sent. */
  payload: string;
  create_time: number;
  /** When it may be sent; moved on while somebody sends it. */
  due_time: number;
  /** A failure after this is the last. */
  give_up_time: number;
  tries: number;
  state: 'waiting' | 'sent' | 'dead';
  /** When it was sent or given up; 0 while it waits. */
  settle_time: number;
  /** What the receiver said last, or the empty string. */
  problem: string;
}

/** An address of another system that is told what happens. */
export interface WebhooksTable {
  id: string;
  name: string;
  format: 'json' | 'wecom' | 'dingtalk' | 'feishu';
  /** What of its address may be shown: scheme and host. */
  place: string;
  /** Address and secret, encrypted: neither is ever shown again. */
  sealed: string;
  /** `NoticeKind`s with commas between. */
  kinds: string;
  is_on: 0 | 1;
  create_time: number;
}

/** What a user wants to be told by e-mail; without a row `DEFAULT_NOTICE_SETTINGS`. */
export interface NoticeSettingsTable {
  user_id: string;
  mode: 'off' | 'now' | 'daily';
  /** `NoticeKind`s with commas between. */
  kinds: string;
}
