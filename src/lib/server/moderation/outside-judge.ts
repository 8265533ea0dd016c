import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Role } from '../../contract/rules/permissions.ts';
import type { AppParts } from '../services.ts';

export interface Written {
  kind: 'article' | 'comment';
  id: string | null;
  /** Whether readers already see the item: then its text can make it pending, but no policy does. */
  isShown: boolean;
  author: { id: string; username: string; role?: Role | undefined; isUnlimited?: boolean | undefined };
  source: string;
  text: string;
}

/** `unanswered`: no response in time, or an unknown verdict. */
type OutsideVerdict = 'show' | 'hold' | 'reject' | 'unanswered';
export type OutsideJudge = (written: Written) => Promise<OutsideVerdict>;

/** Limits how long the author of a comment waits. */
const JUDGE_TIMEOUT_MS = 2_000;
const Answer = z.object({ verdict: z.enum(['show', 'hold', 'reject']) });

/**
 * Asks the service at MODERATION_URL: a POST of `{kind, id, author, text}` as JSON with the header
 * `X-Moye-Signature: t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>", hex>`. The response is
 * `{"verdict": "show" | "hold" | "reject"}`. The operator sets the URL, so it may be in the operator's
 * network.
 */
export function createOutsideJudge({
  url,
  secret,
  log,
  now,
}: Pick<AppParts, 'log' | 'now'> & { url: string; secret: string }): OutsideJudge {
  return async ({ kind, id, author, text }) => {
    const body = JSON.stringify({ kind, id, author: author.username, text });
    const seconds = Math.floor(now() / 1000);
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Moye-Signature': `t=${seconds},v1=${signature}`,
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(JUDGE_TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return Answer.parse(await response.json()).verdict;
    } catch (error) {
      log.warn({ err: error }, 'MODERATION_URL does not answer: item is pending');
      return 'unanswered';
    }
  };
}
