import type { Queryable, Trx } from '../db/database.ts';
import type { AppParts } from '../services.ts';
import { newId } from '../shared/ids.ts';
import { composeLetter } from './compose.ts';
import type { MailSite } from './mail-page.ts';
import type { SendMail } from './mailer.ts';
import type { Queued } from './outbox.ts';
import * as settings from './setting-queries.ts';
import type { Webhooks } from './webhooks.ts';

/** A message to the operators about the site itself. */
export interface Alarm {
  title: string;
  text: string;
  /** Only the first alarm with the same key is sent. */
  key: string;
  /** Webhooks that cannot be reached. */
  except?: readonly string[] | undefined;
}

interface Parts extends Pick<AppParts, 'db' | 'now'> {
  outbox: { put(trx: Trx, queued: Queued): Promise<unknown> };
  webhooks: Pick<Webhooks, 'wanting' | 'send'>;
  hasMail: () => boolean;
  sendMail: SendMail;
  site: MailSite;
  addressesOf(db: Queryable, userIds: readonly string[]): Promise<Map<string, string>>;
}

const ALARM_PATH = '/admin';
const ALARM_TIMEOUT_MS = 30_000;

/** Sends alarms to subscribed webhooks, and by mail to operators who have not switched mails off. */
export function createAlarmSender(parts: Parts) {
  const { db, now, outbox, webhooks, hasMail, sendMail, site, addressesOf } = parts;
  const targetsOf = async ({ except = [] }: Alarm): Promise<string[]> =>
    (await webhooks.wanting('alarm')).filter((id) => !except.includes(id));

  async function addresses(handle: Queryable): Promise<[userId: string, address: string][]> {
    if (!hasMail()) return [];
    const ids = await settings.listOperators(handle);
    const wishes = await settings.findSettings(handle, ids);
    return [...(await addressesOf(handle, ids))].filter(([id]) => wishes.get(id)?.mode !== 'off');
  }

  const letterOf = ({ title, text }: Alarm) => ({
    subject: `${site.title}：${title}`,
    text: `${title}\n\n${text}\n\n${site.origin}${ALARM_PATH}`,
    button: '打开后台',
  });

  return {
    /** Sends an alarm once `trx` has committed. */
    async alarm(trx: Trx, alarm: Alarm): Promise<void> {
      const { title, text, key } = alarm;
      const payload = { kind: 'alarm', title, text, path: ALARM_PATH } as const;
      for (const target of await targetsOf(alarm))
        await outbox.put(trx, { lane: 'webhook', target, payload, uniqueKey: `${key}:${target}` });
      for (const [id, target] of await addresses(trx))
        await outbox.put(trx, { lane: 'mail', target, payload: letterOf(alarm), uniqueKey: `${key}:${id}` });
    },

    /** Sends an alarm while nothing can be written. Throws an error if every receiver failed. */
    async sendAlarm(alarm: Alarm): Promise<void> {
      const id = newId();
      const signal = AbortSignal.timeout(ALARM_TIMEOUT_MS);
      const { title, text } = alarm;
      const url = site.origin + ALARM_PATH;
      const message = { id, kind: 'alarm', time: now(), site: site.title, title, text, url } as const;
      const targets = await targetsOf(alarm);
      const receivers = await addresses(db.read);
      const letter = letterOf(alarm);
      const mail = { id, subject: letter.subject, ...composeLetter(letter, site) };
      // Nothing is awaited between starting the sendings and settling them: a rejection would be unhandled.
      const results = await Promise.allSettled([
        ...targets.map((target) => webhooks.send(target, message, { signal })),
        ...receivers.map(([, to]) => sendMail({ ...mail, to }, signal)),
      ]);
      const failed = results.filter((result) => result.status === 'rejected');
      if (failed.length > 0 && failed.length === results.length) throw failed[0]?.reason;
    },
  };
}
