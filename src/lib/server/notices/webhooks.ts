import type { KeyObject } from 'node:crypto';
import type { WebhookFormat, WebhookNotice } from '../../contract/rules/notice-kinds.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { cacheValue } from '../db/cached-value.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { WebhooksTable } from '../db/schema/notice-schema.ts';
import { newId } from '../shared/ids.ts';
import type { AppParts } from '../services.ts';
import { isBanned } from '../shared/ban-text.ts';
import { seal, unseal } from '../shared/seal.ts';
import { Undeliverable, Unneeded } from './outbox.ts';
import { FORMATS, type WebhookMessage } from './webhook-formats.ts';
import * as queries from './webhook-queries.ts';

/** Fields from the operator; an omitted address or secret stays unchanged. */
export interface WebhookFields {
  name: string;
  format: WebhookFormat;
  kinds: readonly WebhookNotice[];
  isOn: boolean;
  url?: string | undefined;
  secret?: string | undefined;
}

/** A webhook as shown: never its full address or its secret. */
export interface Webhook {
  id: string;
  name: string;
  format: WebhookFormat;
  /** Scheme and host of its address. */
  place: string;
  hasSecret: boolean;
  kinds: WebhookNotice[];
  isOn: boolean;
}

interface Sealed {
  url: string;
  secret: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const MAX_WEBHOOKS = 20;
const MAX_OWN_WEBHOOKS = 5;

/** The author whose webhooks they are; null is the site. */
export type WebhookOwner = string | null;
const NOT_READABLE = '地址和密钥读不出来（TOKEN_SECRET 换过），请重新填写';

/**
 * Webhooks of other systems. Addresses and secrets are stored encrypted with `key`; requests go through
 * `outside`, which reaches only public addresses.
 */
export function createWebhooks(
  parts: Pick<AppParts, 'db' | 'events' | 'outside' | 'now'> & { key: KeyObject },
) {
  const { db, events, outside, key, now } = parts;
  // Each comment asks which webhooks want it.
  const known = cacheValue(
    { db, events },
    ({ type }) => type === 'webhooks-changed',
    () => queries.listWebhooks(db.read, null),
  );
  const changed = (trx: Trx) => events.emit(trx, { type: 'webhooks-changed' });
  const sealedOf = ({ id, sealed }: WebhooksTable): Sealed | null => {
    const text = unseal(key, id, sealed);
    return text === null ? null : (JSON.parse(text) as Sealed);
  };
  const shown = (row: WebhooksTable): Webhook => ({
    id: row.id,
    name: row.name,
    format: row.format,
    place: row.place,
    hasSecret: (sealedOf(row)?.secret ?? '') !== '',
    kinds: kindsOf(row),
    isOn: row.is_on === 1,
  });
  const find = async (from: Queryable, id: string, owner: WebhookOwner): Promise<WebhooksTable> => {
    const row = await queries.findWebhook(from, id);
    return row?.owner_id === owner ? row : refuse('WEBHOOK_NOT_FOUND');
  };

  return {
    list: async (owner: WebhookOwner = null): Promise<Webhook[]> =>
      (await queries.listWebhooks(db.read, owner)).map(shown),

    /**
     * Adds a webhook or changes the one with `id`. Refuses with FIELD_INVALID, WEBHOOK_NOT_FOUND,
     * WEBHOOKS_TOO_MANY.
     */
    async save(
      trx: Trx,
      id: string | null,
      fields: WebhookFields,
      owner: WebhookOwner = null,
    ): Promise<Webhook> {
      const former = id === null ? null : await find(trx, id, owner);
      const sealed = former && sealedOf(former);
      const url = fields.url ?? sealed?.url ?? refuse('FIELD_INVALID', { field: 'url', text: '请填写地址' });
      const secret = fields.secret ?? sealed?.secret ?? '';
      if (fields.format === 'json' && secret === '')
        refuse('FIELD_INVALID', { field: 'secret', text: '通用 JSON 需要密钥，用来签名' });
      if (secret.startsWith('whsec_') && !/^whsec_(?:[A-Za-z0-9+/]{4}){6,}[A-Za-z0-9+/]*={0,2}$/.test(secret))
        refuse('FIELD_INVALID', {
          field: 'secret',
          text: '以 whsec_ 开头的密钥，后面应是至少 18 个字节的 base64',
        });
      const { name, format, kinds, isOn } = fields;
      const ownId = former?.id ?? newId();
      const values = {
        name,
        format,
        place: new URL(url).origin,
        sealed: seal(key, ownId, JSON.stringify({ url, secret } satisfies Sealed)),
        kinds: kinds.join(','),
        is_on: isOn ? (1 as const) : (0 as const),
      };
      const row: WebhooksTable = {
        ...values,
        id: ownId,
        owner_id: owner,
        create_time: former?.create_time ?? now(),
      };
      if (former) await queries.updateWebhook(trx, former.id, values);
      else {
        const most = owner === null ? MAX_WEBHOOKS : MAX_OWN_WEBHOOKS;
        if ((await queries.listWebhooks(trx, owner)).length >= most)
          refuse('WEBHOOKS_TOO_MANY', { text: `通知地址最多 ${most} 个，请先删除一个` });
        await queries.insertWebhook(trx, row);
      }
      changed(trx);
      return shown(row);
    },

    /** Removes a webhook and returns it. Refuses with WEBHOOK_NOT_FOUND. */
    async remove(trx: Trx, id: string, owner: WebhookOwner = null): Promise<Webhook> {
      const row = await find(trx, id, owner);
      await queries.deleteWebhook(trx, id);
      changed(trx);
      return shown(row);
    },

    removeAll: queries.deleteWebhooksOf,

    /** Ids of the site's webhooks that receive notices of a kind. */
    wanting: async (kind: WebhookNotice): Promise<string[]> => idsOf(await known(), kind),

    /** Ids of an author's webhooks that receive notices of a kind. */
    wantingOf: async (from: Queryable, author: string, kind: WebhookNotice): Promise<string[]> =>
      idsOf(await queries.listWebhooks(from, author), kind),

    /** Names of the site's webhooks by id. */
    names: async (): Promise<Map<string, string>> =>
      new Map((await queries.listWebhooks(db.read, null)).map(({ id, name }) => [id, name])),

    /** Refuses with WEBHOOK_NOT_FOUND. */
    requireKnown: async (id: string, owner: WebhookOwner = null): Promise<void> =>
      void (await find(db.read, id, owner)),

    /**
     * Sends a message. Throws the receiver's error or why it cannot be sent; Unneeded if the webhook is
     * gone, its owner is banned, or it is switched off and the message is not a test.
     */
    async send(id: string, message: WebhookMessage, { signal }: { signal?: AbortSignal } = {}) {
      const row = await queries.findReceiver(db.read, id);
      if (!row || isBanned(row, now()) || (row.is_on === 0 && message.kind !== 'test'))
        throw new Unneeded('通知地址已停用');
      const place = sealedOf(row);
      if (!place) throw new Undeliverable(NOT_READABLE);
      const format = FORMATS[row.format];
      const { url, headers, body } = format.ask(message, place, now());
      const isPublicOnly = row.owner_id !== null;
      const answer = await outside.post(url, { headers, body, signal, isPublicOnly });
      if (answer.status < 200 || answer.status > 299)
        throw new Error(`对方回答 ${answer.status} ${answer.text.slice(0, 200)}`.trim());
      const complaint = format.complaintIn(answer.text);
      if (complaint !== null) throw new Error(`对方没有收下：${complaint}`);
    },
  };
}

const idsOf = (rows: readonly WebhooksTable[], kind: WebhookNotice): string[] =>
  rows.filter((row) => row.is_on === 1 && kindsOf(row).includes(kind)).map(({ id }) => id);
const kindsOf = ({ kinds }: WebhooksTable): WebhookNotice[] =>
  kinds.split(',').filter((kind) => kind !== '') as WebhookNotice[];
