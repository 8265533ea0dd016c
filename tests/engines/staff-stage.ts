import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { account } from './accounts.ts';
import { AUDIT_FIELDS } from '../../src/lib/contract/rules/audit.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import type { BlogEvent } from '../../src/lib/server/db/events.ts';
import type { Outside } from '../../src/lib/server/outside/outside.ts';
import { createStorage } from '../engine.ts';
import { siteOf } from './import-stage.ts';

export const PASSWORD = '松风吹解带，山月照弹琴';
export const FROM = { address: '192.0.2.7' };

/** A signed-in account, as the server sees it. */
export interface Person {
  viewer: Viewer;
  token: string;
  refresh_token: string;
}

/** The product on a new database, with accounts and their contents. */
export interface StaffStage {
  app: App;
  events: BlogEvent[];
  /** Opens the product as another process would. */
  open(): Promise<App>;
  signUp(username: string): Promise<Person>;
  /** Writes a public article; resolves to its id. */
  write(author: Person, title?: string, secret?: boolean): Promise<string>;
  comment(writer: Person, page_id: string, content?: string, reply?: object): Promise<string>;
  pass(milliseconds: number): void;
  now(): number;
  /** Queries the database directly. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** Every field of the audit log that a test has written has a Chinese label. */
async function expectLabels({ db }: App): Promise<void> {
  const entries = await db.read.selectFrom('audit_log').select(['before', 'after']).execute();
  const facts = entries.flatMap(({ before, after }) =>
    [before, after].map((json) => JSON.parse(json) as object),
  );
  const fields = new Set(facts.flatMap((fact) => Object.keys(fact)));
  expect([...fields].filter((name) => !Object.hasOwn(AUDIT_FIELDS, name))).toEqual([]);
}

/** @param outside client for other sites; a test's may reach this machine */
export async function openStaffStage(
  settings: Record<string, string> = {},
  outside?: Outside,
): Promise<StaffStage> {
  const place = mkdtempSync(join(tmpdir(), 'moye-staff-'));
  const storage = await createStorage(join(place, 'data'));
  let later = 0;
  const now = () => Date.now() + later;
  const open = () => createApp(readConfig({ ...siteOf(storage), ...settings }), now, outside);
  const app = await open();
  const events: BlogEvent[] = [];
  app.events.listen((event) => events.push(event));
  const { auth, articles, comments } = app.services;
  return {
    app,
    events,
    open,
    now,
    rows: storage.rows,
    async signUp(username) {
      const pair = await auth.signup(account(username, PASSWORD), FROM);
      const { viewer } = await auth.viewerOf(pair.token);
      if (!viewer) throw new Error(`${username} is not signed in`);
      return { viewer, ...pair };
    },
    async write(author, title = '山居秋暝', secret = false) {
      const fields = {
        title,
        content: `${title}：空山新雨后`,
        tags: ['诗'],
        type: '',
        status: 'normal' as const,
      };
      return (await articles.create({ ...fields, secret }, author.viewer)).id;
    },
    async comment(writer, page_id, content = '好诗', reply = {}) {
      const fields = { page_id, content, reply_user: '', reply_content: '', request_id: '', ...reply };
      return (await comments.create(fields, writer.viewer))._id;
    },
    pass: (milliseconds) => void (later += milliseconds),
    async close() {
      await expectLabels(app);
      await app.close();
      await storage.remove();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
