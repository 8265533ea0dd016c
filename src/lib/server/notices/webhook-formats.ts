import { createHmac } from 'node:crypto';
import type { WebhookFormat, WebhookNotice } from '../../contract/notice-kinds.ts';

/** What other systems are told. */
export interface WebhookMessage {
  /** The same with each try. */
  id: string;
  kind: WebhookNotice | 'test';
  /** When it happened. */
  time: number;
  site: string;
  title: string;
  text: string;
  /** A page of the site. */
  url: string;
}

interface Asked {
  url: string;
  headers: Record<string, string>;
  body: string;
}

interface Format {
  /** What is posted at `now`, signed by `secret` where there is one. */
  ask(message: WebhookMessage, place: { url: string; secret: string }, now: number): Asked;
  /** What the receiver complains of in an answer with status 200; null where it took the message. */
  complaintIn(text: string): string | null;
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** As a chat shows it: all of them take less than 2,048 bytes (企业微信). */
const MOST_BYTES = 1_900;

/** Chats read `<at …>` and `<@…>` in a text as a call to somebody, or to everybody. */
const harmless = (text: string) => text.replaceAll('<', '＜');

function plainText({ site, title, text, url }: WebhookMessage): string {
  const head = harmless(`【${site}】${title}`);
  const room = MOST_BYTES - Buffer.byteLength(`${head}\n\n${url}`);
  return [head, shorten(harmless(text), room), url].filter((line) => line !== '').join('\n');
}

/** The beginning of a text that has at most so many bytes as UTF-8, cut between characters. */
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

/** The base64 HMAC-SHA256 that chats want; each has its own idea of what is key and what is text. */
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64');

/** The number under one of the names in an answer; null where there is none. */
function codeIn(text: string, names: readonly string[]): { code: number; said: string } | null {
  try {
    const answer = JSON.parse(text) as Record<string, unknown>;
    const code = names.map((name) => answer[name]).find((value) => typeof value === 'number');
    const said = answer['errmsg'] ?? answer['msg'];
    return code === undefined ? null : { code, said: typeof said === 'string' ? said : '' };
  } catch {
    return null;
  }
}

const complaintBy =
  (...names: string[]): Format['complaintIn'] =>
  (text) => {
    const found = codeIn(text, names);
    if (!found) return '对方的回答看不懂';
    return found.code === 0 ? null : `${found.code} ${found.said}`.trim();
  };

/** How each kind of receiver wants to be told, after its public documentation. */
export const FORMATS: Record<WebhookFormat, Format> = {
  /** Ours: the signature covers time and body, so that nobody can send an old one again later. */
  json: {
    ask(message, { url, secret }, now) {
      const { id, kind, time, site, title, text, url: page } = message;
      const body = JSON.stringify({
        id,
        event: kind,
        time: new Date(time).toISOString(),
        site,
        title,
        text,
        url: page,
      });
      const timestamp = String(Math.floor(now / 1000));
      const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
      const headers = {
        ...JSON_TYPE,
        'X-Moye-Delivery': id,
        'X-Moye-Timestamp': timestamp,
        'X-Moye-Signature': `sha256=${signature}`,
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
