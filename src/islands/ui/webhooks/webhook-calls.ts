import type { CallInput, CallOutput } from '../../../lib/contract/calls/calls.ts';
import type { WebhookNotice } from '../../../lib/contract/rules/notice-kinds.ts';

/** Calls on the webhooks of the site or of an author. */
export interface WebhookCalls {
  /** Notices to choose from, and those chosen for a new webhook. */
  notices: Readonly<Partial<Record<WebhookNotice, string>>>;
  chosen: readonly WebhookNotice[];
  empty: string;
  save(fields: CallInput<'webhookSave'>): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  test(id: string): Promise<string>;
  log(id: string): Promise<CallOutput<'webhookLog'>>;
  retry(id: string, deliveries: string[]): Promise<string>;
}

/** Entries of a log that are shown. */
export const LOG_PAGE = { page: 1, pageSize: 20 };
