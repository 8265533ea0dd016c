import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NewArticle } from '../../src/lib/contract/article-fields.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import type { Outside } from '../../src/lib/server/outside/outside.ts';
import { startServer } from '../../src/lib/server/start.ts';
import { openFront, type FrontKind } from '../edge/front.ts';
import { freePort } from '../free-port.ts';
import { createStorage } from '../engine.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** A running site with its own database. */
export interface Site {
  url: string;
  app: App;
  /** Creates an account; returns its viewer and the access token that a browser would hold. */
  join(username: string): Promise<{ viewer: Viewer; token: string }>;
  /** Publishes an article (or, depending on `fields`, saves a draft or a secret article); returns its id. */
  write(viewer: Viewer, fields: Partial<NewArticle> & { create_time?: number }): Promise<string>;
  /** Stops the server and keeps its storage. Further calls have no effect. */
  stop(): Promise<void>;
  /** Starts the server again at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The suites of tests/edge run these tests through an edge front, with the same product as its API. */
const FRONT = process.env['TEST_FRONT'] as FrontKind | undefined;

/**
 * Starts the built product on a free port with an empty database, as `npm start` does; `settings` are
 * environment variables, `outside` a client for other sites that may reach this machine. Tests use the
 * fixture `site`, which also closes it.
 */
export function openSite(settings: Record<string, string> = {}, outside?: Outside): Promise<Site> {
  return FRONT === undefined ? openServer(settings, outside) : openFronted(FRONT, settings);
}

/**
 * Starts the built product and an edge front that receives its invalidations. Pages and calls go through the
 * front; the live socket connects to the product.
 */
export async function openFronted(kind: FrontKind, settings: Record<string, string> = {}): Promise<Site> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const purging = { PURGE_SECRET: 'a secret of two that know each other' };
  const site = await openServer({ CORS_ORIGINS: url, PURGE_URLS: url, ...purging, ...settings });
  const front = await openFront(kind, port, {
    ...siteSettings(settings),
    ...purging,
    API_ORIGIN: site.url,
  });
  return {
    ...site,
    get app() {
      return site.app;
    },
    url,
    async close() {
      await front.close();
      await site.close();
    },
  };
}

/** Returns the settings on which pages depend. */
const siteSettings = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('SITE_')));

async function openServer(settings: Record<string, string>, outside?: Outside): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'moye-e2e-'));
  const storage = await createStorage(dataDir);
  const quiet = { RATE_LIMIT: 'off', LOG_LEVEL: 'error' };
  const start = async (PORT: string) => {
    const config = readConfig({ PORT, ...quiet, ...storage.settings, ...settings });
    const app = await createApp(config, Date.now, outside);
    return { app, ...(await startServer(app, DIST)) };
  };
  let running = await start('0');
  const port = String(running.port);
  let isRunning = true;
  const stop = async () => {
    if (!isRunning) return;
    isRunning = false;
    await running.stop();
    await running.app.close();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get app() {
      return running.app;
    },
    async join(username) {
      const { auth, signups } = running.app.services;
      const account = { username, password: 'correct horse', gender: 'x' as const, bio: '', invite: '' };
      const { token } = await signups.signUp(account, { address: '127.0.0.1' });
      const { viewer } = await auth.viewerOf(`Beare ${token}`);
      if (!viewer) throw new Error('a fresh token stands for nobody');
      return { viewer, token };
    },
    async write(viewer, fields) {
      const blank = {
        title: '无题',
        content: '正文',
        tags: ['随笔'],
        status: 'normal' as const,
        secret: false,
        type: '',
      };
      return (await running.app.services.articles.create({ ...blank, ...fields }, viewer)).id;
    },
    stop,
    async start() {
      running = await start(port);
      isRunning = true;
    },
    async close() {
      await stop();
      await storage.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
