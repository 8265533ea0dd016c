import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookFormat, WebhookNotice } from '../../contract/rules/notice-kinds.ts';

export interface WebhookMessage {
  /** Same for every attempt. */
  id: string;
  kind: WebhookNotice | 'test';
  time: number;
  site: string;
  title: string;
  text: string;
  url: string;
  /** Facts for programs (contract/webhook-events.ts); absent for notices of other kinds. */
  data?: object;
}

interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

interface Format {
  ask(message: WebhookMessage, place: { url: string; secret: string }, now: number): WebhookRequest;
  /** Returns the error in a response with status 200; null if the receiver accepted the message. */
  complaintIn(text: string): string | null;
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** Chat services accept less than 2,048 bytes (企业微信). */
const MAX_MESSAGE_BYTES = 1_900;

/** Chat services read `<at …>` and `<@…>` in a text as a mention of a user, or of everyone. */
const harmless = (text: string) => text.replaceAll('<', '＜');

function plainText({ site, title, text, url }: WebhookMessage): string {
  const head = harmless(`【${site}】${title}`);
  const room = MAX_MESSAGE_BYTES - Buffer.byteLength(`${head}\n\n${url}`);
  return [head, shorten(harmless(text), room), url].filter((line) => line !== '').join('\n');
}

function shorten(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let [kept, bytes] = ['', 3];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Base64 HMAC-SHA256. Chat services differ in what they use as key and as text. */
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64');

/** Signs with the bytes of a secret such as `whsec_…`, or with the UTF-8 of any other. */
const signerOf = (secret: string): Webhook =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' });

function codeIn(text: string, names: readonly string[]): { code: number; message: string } | null {
  try {
    const answer = JSON.parse(text) as Record<string, unknown>;
    const code = names.map((name) => answer[name]).find((value) => typeof value === 'number');
    const message = answer['errmsg'] ?? answer['msg'];
    return code === undefined ? null : { code, message: typeof message === 'string' ? message : '' };
  } catch {
    return null;
  }
}

const complaintBy =
  (...names: string[]): Format['complaintIn'] =>
  (text) => {
    const found = codeIn(text, names);
    if (!found) return '对方的回答看不懂';
    return found.code === 0 ? null : `${found.code} ${found.message}`.trim();
  };

export const FORMATS: Record<WebhookFormat, Format> = {
  /**
   * Our format, and that of Standard Webhooks (https://www.standardwebhooks.com) in the same body. Both
   * signatures cover time and body, so an old message cannot be replayed.
   */
  json: {
    ask(message, { url, secret }, now) {
      const { id, kind, time, site, title, text, url: page, data } = message;
      const timestampOfEvent = new Date(time).toISOString();
      const body = JSON.stringify({
        id,
        event: kind,
        time: timestampOfEvent,
        site,
        title,
        text,
        url: page,
        type: kind,
        timestamp: timestampOfEvent,
        data: data ?? { title, text, url: page },
      });
      const timestamp = String(Math.floor(now / 1000));
      const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
      const headers = {
        ...JSON_TYPE,
        'X-Moye-Delivery': id,
        'X-Moye-Timestamp': timestamp,
        'X-Moye-Signature': `sha256=${signature}`,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signerOf(secret).sign(id, new Date(now), body),
      };
      return { url, headers, body };
    },
    complaintIn: () => null,
  },
  // https://developer.work.weixin.qq.com/document/path/91770
  wecom: {
    ask: (message, { url }) => ({
      url,
      headers: JSON_TYPE,
      body: JSON.stringify({ msgtype: 'text', text: { content: plainText(message) } }),
    }),
    complaintIn: complaintBy('errcode'),
  },
  // https://open.dingtalk.com/document/robots/customize-robot-security-settings
  dingtalk: {
    ask(message, { url, secret }, now) {
      const signed = new URL(url);
      if (secret !== '') {
        signed.searchParams.set('timestamp', String(now));
        signed.searchParams.set('sign', hmac(secret, `${now}\n${secret}`));
      }
      const body = JSON.stringify({ msgtype: 'text', text: { content: plainText(message) } });
      return { url: signed.href, headers: JSON_TYPE, body };
    },
    complaintIn: complaintBy('errcode'),
  },
  // https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
  feishu: {
    ask(message, { url, secret }, now) {
      const timestamp = String(Math.floor(now / 1000));
      const proof = secret === '' ? {} : { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') };
      const body = JSON.stringify({ ...proof, msg_type: 'text', content: { text: plainText(message) } });
      return { url, headers: JSON_TYPE, body };
    },
    complaintIn: complaintBy('code', 'StatusCode'),
  },
};
