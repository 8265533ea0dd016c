import { type KeyObject, createHmac, timingSafeEqual } from 'node:crypto';
import type { Article, Comment, User } from '../../contract/entities.ts';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import type { ShownNoticeSettings } from '../../contract/calls/notice-calls.ts';
import type { WebhookNotice } from '../../contract/rules/notice-kinds.ts';
import { commentLink } from '../../shared/urls.ts';
import { daysOf } from '../shared/days.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { Reader } from '../db/visibility.ts';
import { createAlarmSender } from './alarm-sender.ts';
import type { SiteFacts } from '../../contract/site.ts';
import { composeMail, type Item } from './compose.ts';
import { createContentEvents } from './content-events.ts';
import { createMailer, type SmtpPlace } from './mailer.ts';
import { countUnsent } from './delivery-queries.ts';
import { createNotify } from './notify.ts';
import { createOutbox, Unneeded, type Delivery, type Send, Refused } from './outbox.ts';
import {
  aboutOf,
  isComment,
  isContent,
  isWritten,
  type CommentNotice,
  type CommentRole,
  type ContentNotice,
  type Payload,
  type PlainNotice,
  type WrittenMail,
} from './payload.ts';
import * as settings from './setting-queries.ts';
import { createWebhooks, type WebhookOwner } from './webhooks.ts';
import { newId } from '../shared/ids.ts';
import type { AppParts } from '../services.ts';

export type { Alarm } from './alarm-sender.ts';
export type { NoticeEvent } from './notice-event.ts';
export type { Webhook, WebhookFields } from './webhooks.ts';

interface QueuedMail extends WrittenMail {
  to: string;
  uniqueKey?: string;
  isAwaited?: boolean;
}

interface Parts extends Pick<
  AppParts,
  'db' | 'events' | 'log' | 'now' | 'outside' | 'timeZone' | 'notifications'
> {
  /** Null if mail is off. */
  smtp: SmtpPlace | null;
  keys: { webhooks: KeyObject; unsubscribe: KeyObject };
  site: { readonly origin: string; readonly title: string; readonly logo?: SiteFacts['logo'] };
  /** Verified addresses by user id. */
  addressesOf(db: Queryable, userIds: readonly string[]): Promise<Map<string, string>>;
  commentOf(id: string, viewer: Reader | null): Promise<Comment | null>;
  /** An article that visitors see. */
  articleOf(id: string): Promise<Article | null>;
  /** A user as visitors see them. */
  userOf(username: string): Promise<User | null>;
  leaseMs?: number;
}

const TEST_TIMEOUT_MS = 8_000;

export const UNSUBSCRIBE_PATH = '/unsubscribe';
export const ONE_CLICK_PATH = '/api/notice/unsubscribe';

const TITLES: Record<CommentRole | 'other', (name: string, title: string) => string> = {
  comment: (name, title) => `${name} 评论了你的文章《${title}》`,
  reply: (name, title) => `${name} 在《${title}》下回复了你`,
  mention: (name, title) => `${name} 在《${title}》的评论里提到了你`,
  other: (name, title) => `${name} 评论了《${title}》`,
};

/** The username is always named, because the display name is not unique. */
const nameOf = ({ create_user, author_name }: Comment): string =>
  author_name === undefined ? create_user : `${author_name}（@${create_user}）`;

export type NoticeService = ReturnType<typeof createNoticeService>;

export function createNoticeService(parts: Parts) {
  const { db, now, smtp, keys, site, addressesOf, commentOf } = parts;
  const { origin } = site;
  const dayOf = daysOf(parts.timeZone);
  const webhooks = createWebhooks({ ...parts, key: keys.webhooks });
  const sendMail = smtp && createMailer(smtp, new URL(origin).hostname);
  const outbox = createOutbox({
    ...parts,
    send: { mail: deliverMail, webhook: deliverWebhook, own: deliverWebhook },
  });
  const hasMail = smtp !== null;
  const alarmSender = createAlarmSender({ db, now, outbox, webhooks, sendMail, site, addressesOf });
  const describeContent = createContentEvents(parts);

  const notify = createNotify({ ...parts, dayOf, hasMail, outbox, webhooks });

  /** Returns the current text of a payload for a user; null if the user may no longer see it. */
  async function itemOf(payload: CommentNotice | PlainNotice, viewer: Reader | null): Promise<Item | null> {
    if (!isComment(payload)) return { title: payload.title, text: payload.text, url: origin + payload.path };
    const comment = await commentOf(payload.comment, viewer);
    if (!comment) return null;
    const title = TITLES[viewer ? payload.as : 'other'](nameOf(comment), comment.page_title);
    return { title, text: comment.content, url: origin + commentLink(comment.page_id, comment._id) };
  }

  async function deliverMail({ id, target, payloads }: Delivery, signal: AbortSignal): ReturnType<Send> {
    if (!sendMail) throw new Error('没有设置 SMTP_URL');
    const parsed = payloads.map((text) => JSON.parse(text) as Payload);
    const [written] = parsed;
    if (written && isWritten(written)) return sendMail({ id, to: target, ...written }, signal);
    const to = (await addressesOf(db.read, [target])).get(target);
    const wish = (await settings.findSettings(db.read, [target])).get(target);
    if (to === undefined || wish?.mode === 'off') return;
    const items: Item[] = [];
    for (const payload of parsed) {
      const item = isWritten(payload) || isContent(payload) ? null : await itemOf(payload, { id: target });
      if (item) items.push(item);
    }
    if (items.length === 0) return;
    const token = signed(keys.unsubscribe, target);
    const query = `?token=${token}`;
    const frame = {
      id,
      to,
      site: site.title,
      logo: site.logo ? { ...site.logo, src: origin + site.logo.src } : null,
      unsubscribe: { page: origin + UNSUBSCRIBE_PATH + query, oneClick: origin + ONE_CLICK_PATH + query },
      settings: `${origin}/user/settings`,
    };
    await sendMail(composeMail(items, frame), signal);
  }

  async function deliverWebhook({ id, target, payloads }: Delivery, signal: AbortSignal): ReturnType<Send> {
    const [payload] = payloads.map((text) => JSON.parse(text) as CommentNotice | PlainNotice | ContentNotice);
    if (!payload) return;
    const about = { id, site: site.title };
    if (isContent(payload)) {
      const { event: kind, time } = payload;
      const content = await describeContent(payload);
      if (!content) throw new Unneeded('内容已不公开');
      await webhooks.send(target, { ...about, kind, time, ...content }, { signal });
      return;
    }
    const item = await itemOf(payload, null);
    const kind = isComment(payload) ? 'comment' : (payload.kind as WebhookNotice);
    if (item) await webhooks.send(target, { ...about, kind, time: now(), ...item }, { signal });
  }

  /**
   * Cancels the notifications of a comment that readers no longer see, except those being sent. If the
   * comment is shown again, `notify` sends them again.
   */
  async function withdraw(trx: Trx, commentId: string, userIds: readonly string[]): Promise<void> {
    const targets = [...userIds, ...(await webhooks.wanting('comment'))];
    await outbox.withdraw(
      trx,
      targets.map((target) => `comment:${commentId}:${target}`),
    );
  }

  return {
    hasMail,
    notify,
    ...alarmSender,
    withdraw,
    webhooks,
    outbox,

    /**
     * Sends a mail once `trx` has committed. Returns its delivery; null if it repeats a key, or mail is off.
     */
    queueMail: async (
      trx: Trx,
      { to, uniqueKey, isAwaited, ...payload }: QueuedMail,
    ): Promise<string | null> =>
      hasMail ? outbox.put(trx, { lane: 'mail', target: to, payload, uniqueKey, isAwaited }) : null,

    /**
     * Waits a few seconds for an awaited mail. Refuses with MAIL_FAILED if the mail server refuses it; the
     * reason is shown if it concerns the receiver.
     */
    async requireAccepted(delivery: string | null): Promise<void> {
      const error = delivery === null ? null : await outbox.outcomeOf(delivery);
      if (!(error instanceof Refused)) return;
      const reason = error.isAboutReceiver ? error.message : '网站发信的设置有问题，请告诉站长';
      refuse('MAIL_FAILED', { text: `邮件没能发出去。${reason}` });
    },

    /** Sends a mail immediately: the operator waits for the result. Refuses with MAIL_OFF, MAIL_FAILED. */
    async testMail(to: string): Promise<void> {
      if (!sendMail) refuse('MAIL_OFF');
      const mail = { id: newId(), to, subject: `「${site.title}」的测试邮件`, text: `${TEST_TEXT}\n` };
      try {
        await sendMail(mail, AbortSignal.timeout(TEST_TIMEOUT_MS));
      } catch (error) {
        refuse('MAIL_FAILED', { text: `邮件没能发出去。${(error as Error).message}` });
      }
    },

    /**
     * Sends a test message to a webhook immediately: the operator waits for the result. Refuses with
     * WEBHOOK_NOT_FOUND, URL_REFUSED, URL_UNREACHABLE, WEBHOOK_FAILED.
     */
    async testWebhook(id: string, owner: WebhookOwner = null): Promise<void> {
      await webhooks.requireKnown(id, owner);
      const about = { title: '测试', text: TEST_TEXT };
      const message = { id, kind: 'test', time: now(), site: site.title, ...about } as const;
      const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
      try {
        await webhooks.send(id, { ...message, url: origin }, { signal });
      } catch (error) {
        if (isRefusal(error)) throw error;
        refuse('WEBHOOK_FAILED', { text: (error as Error).message });
      }
    },

    async shownSettings(userId: string): Promise<ShownNoticeSettings> {
      const wish = (await settings.findSettings(db.read, [userId])).get(userId);
      const address = (await addressesOf(db.read, [userId])).get(userId) ?? '';
      return { mode: 'off', kinds: [], ...wish, has_mail: hasMail, address };
    },
    saveSettings: (userId: string, wish: settings.NoticeSettings): Promise<void> =>
      db.write((trx) => settings.putSettings(trx, userId, wish)),

    /**
     * Returns whether a token from a mail is valid; with `isConfirmed` it also ends mails to the token's
     * user.
     */
    async unsubscribe(token: string, isConfirmed: boolean): Promise<boolean> {
      const userId = readSigned(keys.unsubscribe, token);
      if (userId === null) return false;
      if (isConfirmed)
        await db.write(async (trx) => {
          const wish = (await settings.findSettings(trx, [userId])).get(userId);
          // A closed account has no mails to end.
          if (wish && (await addressesOf(trx, [userId])).has(userId))
            await settings.putSettings(trx, userId, { ...wish, mode: 'off' });
        });
      return true;
    },

    async listDeliveries(state: 'waiting' | 'dead', page: { offset: number; limit: number }) {
      const { items, total } = await outbox.list(state, page);
      const names = await webhooks.names();
      return {
        total,
        items: items.map(({ payload, target, ...item }) => ({
          ...item,
          ...aboutOf(payload),
          target: item.lane === 'webhook' ? (names.get(target) ?? '') : target,
        })),
      };
    },
    /** Deliveries that wait or have failed, by lane. */
    countUnsent: () => countUnsent(db.read),
  };
}

const TEST_TEXT = '看到这条消息，说明通知可以送到这里。';

const signatureOf = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest();

/** Appends a signature to a text, for URLs. `text` must not contain a dot. */
const signed = (key: KeyObject, text: string): string =>
  `${text}.${signatureOf(key, text).toString('base64url')}`;

/** Returns the text that `signed` has signed; null for anything else. */
function readSigned(key: KeyObject, token: string): string | null {
  const [text = '', signature = ''] = token.split('.', 2);
  const given = Buffer.from(signature, 'base64url');
  const wanted = signatureOf(key, text);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? text : null;
}
