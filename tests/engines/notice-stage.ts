import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createApp, type App } from '../../src/lib/server/app.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import {
  createNoticeService,
  type NoticeEvent,
  type NoticeService,
} from '../../src/lib/server/notices/notice-service.ts';
import { openOtherSite, type OtherSite } from '../api/other-site.ts';
import { createStorage, TOKEN_SECRET, type TestStorage } from '../engine.ts';
import { openMailbox, type Mailbox } from './mailbox.ts';
import { fakes, settled } from '../fakes.ts';

export const ORIGIN = 'https://blog.example.com';
export const ARTICLE = {
  title: '鹿柴',
  content: '空山',
  tags: ['诗'],
  type: '',
  secret: false,
  status: 'normal' as const,
};
const never = new AbortController().signal;
export const newKey = () => createSecretKey(randomBytes(32));

/** A site with an author and a reader, a mailbox, and another site that receives webhooks. */
export interface NoticeStage {
  storage: TestStorage;
  app: App;
  author: Viewer;
  reader: Viewer;
  mailbox: Mailbox;
  site: OtherSite;
  /** Response of the other site, and the bodies it has received. */
  answer: { status: number; text: string; location?: string };
  bodies: string[];
  notices: NoticeService;
  addresses: Map<string, string>;
  keys: { webhooks: ReturnType<typeof newKey>; unsubscribe: ReturnType<typeof newKey> };
  now(): number;
  pass(milliseconds: number): void;
  /** Opens a sender, as another process would. */
  open(options?: { url?: string }): NoticeService;
  notify(event: NoticeEvent): Promise<void>;
  sendMail(): Promise<number>;
  sendHooks(): Promise<number>;
  count(state: string): Promise<number>;
  /** Creates an article by the author with a comment by the reader. */
  write(fields?: { content?: string }): Promise<{ articleId: string; commentId: string }>;
  commentEvent(commentId: string, articleId?: string): NoticeEvent;
}

/** Sets up the stage for a test file; the outbox is empty before each test. */
export function setNoticeStage(): NoticeStage {
  let folder: string;
  let offset = 0;
  const tools: Partial<NoticeStage> = {
    keys: { webhooks: newKey(), unsubscribe: newKey() },
    now: () => Date.now() + offset,
    pass: (milliseconds) => void (offset += milliseconds),
    open: ({ url = stage.mailbox.url } = {}) =>
      createNoticeService({
        db: stage.app.db,
        events: stage.app.events,
        notifications: stage.app.services.notifications,
        ...fakes({ log: { info: () => {}, warn: () => {} } }),
        now: stage.now,
        outside: stage.site.outside,
        smtp: settled({ url, from: '墨页 <blog@example.com>' }),
        keys: stage.keys,
        site: { origin: ORIGIN, title: '墨页' },
        timeZone: 'Asia/Shanghai',
        addressesOf: async (_, ids) => new Map([...stage.addresses].filter(([id]) => ids.includes(id))),
        commentOf: (id, viewer) => stage.app.services.comments.find(id, viewer),
        articleOf: (id) => stage.app.services.articles.findPublic(id),
        userOf: (username) => stage.app.services.users.findShown(username),
      }),
    notify: (event) => stage.app.db.write((trx) => stage.notices.notify(trx, event)),
    sendMail: () => stage.notices.outbox.sendDue('mail', never),
    sendHooks: async () =>
      (await stage.notices.outbox.sendDue('webhook', never)) +
      (await stage.notices.outbox.sendDue('own', never)),
    count: (state) => stage.storage.count(`select count(*) from outbox where state = '${state}'`),
    async write({ content = '好诗' } = {}) {
      const { articles, comments } = stage.app.services;
      const { id } = await articles.create(ARTICLE, stage.author);
      const comment = { page_id: id, reply_user: '', reply_content: '', request_id: '' };
      const { _id } = await comments.create({ ...comment, content }, stage.reader);
      return { articleId: id, commentId: _id };
    },
    commentEvent: (commentId, articleId = '') => ({
      kind: 'comment',
      commentId,
      articleId,
      authorId: stage.author.id,
      addressees: [{ userId: stage.author.id, as: 'comment' }],
    }),
  };
  const stage = tools as NoticeStage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'moye-notices-'));
    stage.storage = await createStorage(folder);
    const settings = { ...stage.storage.settings, TOKEN_SECRET, SITE_URL: ORIGIN, LOG_LEVEL: 'silent' };
    stage.app = await createApp(readConfig(settings), stage.now);
    const add = async (username: string) => {
      const account = { username, password: 'correct horse', gender: 'x', bio: '' } as const;
      return {
        ...stage.author,
        id: await stage.app.services.auth.addUser(account),
        username,
        signinId: '',
        origin: '',
      };
    };
    stage.author = await add('王维');
    stage.reader = await add('裴迪');
    stage.site = await openOtherSite((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => void (body += part.toString()));
      request.on('end', () => {
        stage.bodies.push(body);
        const { status, text, location } = stage.answer;
        response.writeHead(status, location === undefined ? {} : { Location: location }).end(text);
      });
    });
  });
  afterAll(async () => {
    stage.site?.close();
    await stage.app?.close();
    await stage.storage?.remove();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    stage.mailbox = await openMailbox();
    stage.bodies = [];
    stage.site.asked.length = 0;
    stage.answer = { status: 200, text: '' };
    stage.addresses = new Map([
      [stage.author.id, 'wangwei@example.com'],
      [stage.reader.id, 'peidi@example.com'],
    ]);
    stage.notices = stage.open();
  });
  afterEach(async () => {
    await stage.notices.outbox.stop();
    await stage.mailbox.close();
    await stage.app.db.write(async (trx) => {
      await trx.deleteFrom('outbox').execute();
      await trx.deleteFrom('webhooks').execute();
      stage.app.events.emit(trx, { type: 'webhooks-changed' });
      await trx.deleteFrom('notice_settings').execute();
    });
  });
  return stage;
}
