import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importSite } from '../../src/lib/importers/site/import-site.ts';
import { openMongo } from '../../src/lib/importers/mongo/mongo-site.ts';
import { writeDump } from '../mongo-dump.ts';
import { OLD_BLOG, OLD_PASSWORD } from '../old-blog.ts';
import { openServer } from './server.ts';

test('a user of the previous site signs in with the old password, and keeps links and comments', async () => {
  const place = mkdtempSync(join(tmpdir(), 'moye-imported-'));
  const server = await openServer();
  try {
    const path = writeDump(place, OLD_BLOG, 'archive');
    const site = await openMongo(path, { origins: [], uploads: undefined });
    // Fills the page cache; the import must invalidate it.
    expect((await server.post('/api/page/homepage', { page: 1 })).text).not.toContain('山居');
    await importSite(site, server.app.services, { isDryRun: false, mergesUsers: false, map: new Map() });

    const wrong = await server.post('/api/signin', { username: '老张', password: `${OLD_PASSWORD}7` });
    expect(wrong.error).toBe('SIGNIN_FAILED');
    const hash = async () =>
      String(
        (await server.rows("select password_hash from users where username = '老张'"))[0]?.['password_hash'],
      );
    expect(await hash()).toMatch(/^sha1\$/);
    const signedIn = await server.post('/api/signin', { username: '老张', password: OLD_PASSWORD });
    expect(signedIn.code).toBe('OK');
    expect(await hash()).toMatch(/^\$argon2id\$/);
    const again = await server.post('/api/signin', { username: '老张', password: OLD_PASSWORD });
    expect(again.code).toBe('OK');
    // An account that the import created for a bare name has no password.
    for (const password of ['', 'sha1$', OLD_PASSWORD])
      expect((await server.post('/api/signin', { username: '走了的人', password })).code).toBe('ERROR');

    const page = await fetch(`${server.url}/detail/5e0a00000000000000000021`);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('空山新雨后');
    expect(html).toContain('写得好');
    const secret = await fetch(`${server.url}/detail/5e0a00000000000000000023`);
    expect(await secret.text()).not.toContain('只给自己看');
  } finally {
    await server.close();
    rmSync(place, { recursive: true, force: true });
  }
});
