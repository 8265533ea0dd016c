import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signPurge } from '../../src/lib/purge-signature.ts';
import { openFronted, type Site } from '../e2e/site.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';

describe('a front that keeps pages for a minute', () => {
  let site: Site;
  let author: Viewer;
  beforeAll(async () => {
    site = await openFronted('node');
    author = (await site.join('林间')).viewer;
  });
  afterAll(() => site?.close());
  const read = async (path: string) => (await fetch(site.url + path)).text();

  test('shows a new article, a changed one and a new comment as soon as the API has told it', async () => {
    expect(await read('/home')).toContain('还没有公开的文章');
    const id = await site.write(author, { title: '初稿', content: '一' });
    await vi.waitFor(async () => expect(await read('/home')).toContain('初稿'), 10_000);
    expect(await read(`/detail/${id}`)).toContain('初稿');
    const edited = {
      id,
      title: '定稿',
      content: '二',
      tags: ['随笔'],
      status: 'normal',
      secret: false,
      type: '',
    };
    await site.app.services.articles.edit({ ...edited, status: 'normal' }, author);
    await vi.waitFor(async () => {
      expect(await read('/home')).toContain('定稿');
      expect(await read(`/detail/${id}`)).toContain('定稿');
    }, 10_000);
    const comment = { content: '沙发', page_id: id, reply_user: '', reply_content: '', request_id: '' };
    await site.app.services.comments.create(comment, author);
    await vi.waitFor(async () => expect(await read(`/detail/${id}`)).toContain('沙发'), 10_000);
    await site.app.services.articles.edit({ ...edited, status: 'normal', secret: true }, author);
    await vi.waitFor(async () => expect(await read('/home')).not.toContain('定稿'), 10_000);
  });
});

test('a worker believes what is signed and nothing else', async () => {
  const site = await openFronted('cloudflare');
  try {
    const body = JSON.stringify({ tags: ['site'] });
    const purge = async (secret: string) => {
      const headers = await signPurge(secret, body, Date.now());
      return (await fetch(`${site.url}/purge`, { method: 'POST', body, headers })).status;
    };
    expect(await purge(site.app.config.purge?.secret ?? '')).toBe(204);
    expect(await purge('x'.repeat(40))).toBe(403);
    // It is a page that is not there.
    expect((await fetch(`${site.url}/purge`)).status).toBe(404);
  } finally {
    await site.close();
  }
});
