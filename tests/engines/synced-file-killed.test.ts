import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { createStorage, TOKEN_SECRET, type TestStorage } from '../engine.ts';

const WRITER = fileURLToPath(new URL('sync-writer.ts', import.meta.url));
const MAX_TRANSACTIONS = 10;

let place: string;
let storage: TestStorage;
let environment: Record<string, string>;
let app: App;
let author: Viewer;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-sync-killed-'));
  storage = await createStorage(place);
  environment = { ...storage.settings, TOKEN_SECRET, LOG_LEVEL: 'silent' };
  app = await createApp(readConfig(environment));
  const account = { username: '王维', password: 'correct horse', gender: 'x', bio: '' } as const;
  author = { id: await app.services.auth.addUser(account), username: '王维', signinId: '', origin: '' };
});
afterAll(async () => {
  await app?.close();
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

/**
 * Puts a file in a process that dies after that many transactions, or never for 0; returns whether it lived
 * to the end.
 */
async function putUntil(path: string, text: string, killAfter: number): Promise<boolean> {
  const work = JSON.stringify({ author, path, text, killAfter });
  const child = spawn(process.execPath, [WRITER, work], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  expect([code, signal]).toEqual(signal === null ? [0, null] : [null, 'SIGKILL']);
  return signal === null;
}
const stateOf = async (path: string) =>
  (await app.services.sync.list(author)).find((file) => file.path === path)?.state;

test.each([
  ['publishes its article', { holdArticles: 'none', holdChanges: 'never' }],
  ['waits for staff', { holdArticles: 'all', holdChanges: 'always' }],
] as const)(
  'a file that %s never looks edited on the site, whenever its server is killed',
  { timeout: TEST_MS + MAX_TRANSACTIONS * 10_000 },
  async (name, rules) => {
    const path = `${name}.md`;
    await app.services.options.change({ holdArticles: 'none', holdChanges: 'never' }, null);
    expect(await putUntil(path, '# 鹿柴\n\n空山不见人\n', 0)).toBe(true);
    await app.services.options.change(rules, null);
    let kills = 0;
    for (let isDone = false; !isDone && kills <= MAX_TRANSACTIONS;) {
      isDone = await putUntil(path, `# 鹿柴\n\n空山不见人，第 ${kills} 稿\n`, kills + 1);
      if (!isDone) kills++;
      expect([kills, await stateOf(path)]).toEqual([kills, 'same']);
    }
    expect(kills).toBeGreaterThan(0);
    expect(kills).toBeLessThan(MAX_TRANSACTIONS);
  },
);
