import { type KeyObject, createHmac, timingSafeEqual } from 'node:crypto';
import type { Article, Comment, User } from '../../contract/entities.ts';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import type { ShownNoticeSettings } from '../../contract/calls/notice-calls.ts';
import {
  kindsInToken,
  UNSUBSCRIBE_SEPARATOR,
  USER_NOTICES,
  userNotices,
  type UserNotice,
  type WebhookNotice,
} from '../../contract/rules/notice-kinds.ts';
import { commentText } from '../../markdown/comment.ts';
import { articleUrl, commentLink } from '../../shared/urls.ts';
import { nameItemFor } from '../db/name-item.ts';
import { answerTo } from '../shared/report-answer.ts';
import { daysOf } from '../shared/days.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { Reader } from '../db/visibility.ts';
import { createAlarmSender } from './alarm-sender.ts';
import type { SiteFacts } from '../../contract/site.ts';
import { composeLetter, composeMail, type Item, type MailItem } from './compose.ts';
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
import type { Current } from '../settings/operator-settings.ts';

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
  /** Null while mail is off. */
  smtp: Current<SmtpPlace | null>;
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

const TITLES: Record<CommentRole, (name: string, title: string) => string> = {
  comment: (name, title) => `${name} 评论了你的文章《${title}》`,
  reply: (name, title) => `${name} 在《${title}》下回复了你`,
  mention: (name, title) => `${name} 在《${title}》的评论里提到了你`,
};
/** Titles below the heading of the article. */
const SHORT_TITLES: Record<CommentRole, string> = {
  comment: '评论了',
  reply: '回复了你',
  mention: '提到了你',
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
  const sendMail = createMailer(smtp.read, new URL(origin).hostname);
  const outbox = createOutbox({
    ...parts,
    send: { mail: deliverMail, webhook: deliverWebhook, own: deliverWebhook },
  });
  const hasMail = () => smtp.known !== null;
  const alarmSender = createAlarmSender({ db, now, outbox, webhooks, hasMail, sendMail, site, addressesOf });
  const describeContent = createContentEvents(parts);

  const notify = createNotify({ ...parts, dayOf, hasMail, outbox, webhooks });

  /** Describes a payload as a user sees it now; null if the user may no longer see it. */
  async function mailItemOf(payload: CommentNotice | PlainNotice, viewer: Reader): Promise<MailItem | null> {
    if (!isComment(payload)) {
      const { text, note = '', path, answers } = payload;
      const title = answers
        ? `你${answerTo(answers, await nameItemFor(db.read, answers.reported, viewer))}`
        : payload.title;
      const group = { text: USER_NOTICES[mailKindOf(payload)] };
      return { title, shortTitle: title, text, note, url: origin + path, group };
    }
    const comment = await commentOf(payload.comment, viewer);
    if (!comment) return null;
    const { _id, page_id, page_title } = comment;
    const name = nameOf(comment);
    const address = (await parts.articleOf(page_id))?.address;
    return {
      title: TITLES[payload.as](name, page_title),
      shortTitle: `${name} ${SHORT_TITLES[payload.as]}`,
      text: commentText(comment.content),
      note: '',
      url: origin + commentLink(page_id, _id),
      group: { text: `《${page_title}》`, url: origin + articleUrl(page_id, address) },
    };
  }

  /** Describes a payload as visitors see it now; null if they do not. */
  async function hookItemOf(payload: CommentNotice | PlainNotice): Promise<Item | null> {
    if (!isComment(payload)) return { title: payload.title, text: payload.text, url: origin + payload.path };
    const comment = await commentOf(payload.comment, null);
    if (!comment) return null;
    const { _id, page_id, page_title, content } = comment;
    const title = `${nameOf(comment)} 评论了《${page_title}》`;
    return { title, text: content, url: origin + commentLink(page_id, _id) };
  }

  async function deliverMail({ id, target, payloads }: Delivery, signal: AbortSignal): ReturnType<Send> {
    const parsed = payloads.map((text) => JSON.parse(text) as Payload);
    const [written] = parsed;
    if (written && isWritten(written)) {
      const { subject } = written;
      await sendMail({ id, to: target, subject, ...composeLetter(written, site) }, signal);
      return;
    }
    const to = (await addressesOf(db.read, [target])).get(target);
    const wish = (await settings.findSettings(db.read, [target])).get(target);
    if (to === undefined || !wish || wish.mode === 'off') return;
    const kinds = new Set<UserNotice>();
    const items: MailItem[] = [];
    for (const payload of parsed) {
      if (isWritten(payload) || isContent(payload)) continue;
      const kind = mailKindOf(payload);
      const item = wish.kinds.includes(kind) ? await mailItemOf(payload, { id: target }) : null;
      if (!item) continue;
      items.push(item);
      kinds.add(kind);
    }
    if (items.length === 0) return;
    const query = `?token=${signed(keys.unsubscribe, [target, ...kinds].join(UNSUBSCRIBE_SEPARATOR))}`;
    const frame = {
      id,
      to,
      site,
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
    const item = await hookItemOf(payload);
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
    get hasMail() {
      return hasMail();
    },
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
      hasMail() ? outbox.put(trx, { lane: 'mail', target: to, payload, uniqueKey, isAwaited }) : null,

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

    /**
     * Sends a mail immediately and returns the server's answer: the operator waits for it. Refuses with
     * MAIL_OFF, MAIL_FAILED.
     */
    async testMail(to: string): Promise<string> {
      if ((await smtp.read()) === null) refuse('MAIL_OFF');
      const letter = { subject: `「${site.title}」的测试邮件`, text: TEST_TEXT };
      const mail = { id: newId(), to, subject: letter.subject, ...composeLetter(letter, site) };
      try {
        return await sendMail(mail, AbortSignal.timeout(TEST_TIMEOUT_MS));
      } catch (error) {
        return refuse('MAIL_FAILED', { text: `邮件没能发出去。${(error as Error).message}` });
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
      return { mode: 'off', kinds: [], ...wish, has_mail: hasMail(), address };
    },
    saveSettings: (userId: string, wish: settings.NoticeSettings): Promise<void> =>
      db.write((trx) => settings.putSettings(trx, userId, wish)),

    /**
     * Ends the mails of the kinds in a token from a mail, or with `isAll` those of every kind. A token of an
     * older mail has no kinds and ends all. Returns false for an invalid token.
     */
    async unsubscribe(token: string, isAll = false): Promise<boolean> {
      const text = readSigned(keys.unsubscribe, token);
      if (text === null) return false;
      const [userId = ''] = text.split(UNSUBSCRIBE_SEPARATOR);
      const ended = kindsInToken(token);
      const isEvery = isAll || ended.length === 0;
      await db.write(async (trx) => {
        const wish = (await settings.findSettings(trx, [userId])).get(userId);
        // A closed account has no mails to end.
        if (!wish || !(await addressesOf(trx, [userId])).has(userId)) return;
        const kinds = wish.kinds.filter((kind) => !ended.includes(kind));
        await settings.putSettings(trx, userId, isEvery ? { ...wish, mode: 'off' } : { ...wish, kinds });
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

/** The kind of mail that a payload is sent as: staff gets pending content as reports. */
function mailKindOf(payload: CommentNotice | PlainNotice): UserNotice {
  if (isComment(payload)) return payload.as;
  return userNotices.find((kind) => kind === payload.kind) ?? 'report';
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
