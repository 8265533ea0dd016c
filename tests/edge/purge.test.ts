import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { signPurge } from '../../src/lib/shared/purge-signature.ts';
import { test as base } from '../e2e/fixtures.ts';
import { openFronted } from '../e2e/site.ts';

const test = base
  .extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
    const site = await openFronted('node');
    onCleanup(() => site.close());
    return site;
  })
  .extend('worker', { scope: 'file' }, async ({}, { onCleanup }) => {
    const site = await openFronted('cloudflare');
    onCleanup(() => site.close());
    return site;
  });

test('an edge server caching for a minute shows new and changed articles and comments once purged', async ({
  site,
  author,
}) => {
  const read = async (path: string) => (await fetch(site.url + path)).text();
  expect(await read('/home')).toContain('还没有公开的文章');
  const id = await site.write(author, { title: '初稿', content: '一' });
  await eventually(async () => expect(await read('/home')).toContain('初稿'));
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
  await eventually(async () => {
    expect(await read('/home')).toContain('定稿');
    expect(await read(`/detail/${id}`)).toContain('定稿');
  });
  const comment = { content: '沙发', page_id: id, reply_user: '', reply_content: '', request_id: '' };
  await site.app.services.comments.create(comment, author);
  await eventually(async () => expect(await read(`/detail/${id}`)).toContain('沙发'));
  await site.app.services.articles.edit({ ...edited, status: 'normal', secret: true }, author);
  await eventually(async () => expect(await read('/home')).not.toContain('定稿'));
});

test('a front has the icons of the seal, and the new ones once it changes', async ({
  site,
  worker,
  author,
}) => {
  for (const front of [site, worker]) {
    const iconOf = async () =>
      /<link rel="icon" href="([^"]+)"/.exec(await (await fetch(`${front.url}/home`)).text())?.[1];
    for (const seal of ['山', '水']) {
      const { icons } = await front.app.services.site
        .change({ seal }, author)
        .then(() => front.app.services.site.read());
      await eventually(async () => expect(await iconOf()).toBe(`/icon-192.png${icons}`));
      const load = () => fetch(`${front.url}/icon-192.png${icons}`);
      // A front does not wait for the first drawing on a busy machine.
      await eventually(async () => expect((await load()).status).toBe(200));
      const icon = await load();
      const own = await front.app.services.site.file('/icon-192.png');
      expect(icon.headers.get('cache-control')).toContain('immutable');
      expect(Buffer.from(await icon.arrayBuffer()).equals(own?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  }
});

test('a worker accepts only signed purges', async ({ worker }) => {
  const body = JSON.stringify({ tags: ['site'] });
  const purge = async (secret: string) => {
    const headers = await signPurge(secret, body, Date.now());
    return (await fetch(`${worker.url}/purge`, { method: 'POST', body, headers })).status;
  };
  expect(await purge(worker.app.config.purge?.secret ?? '')).toBe(204);
  expect(await purge('x'.repeat(40))).toBe(403);
  // A GET is a request for a page that does not exist.
  expect((await fetch(`${worker.url}/purge`)).status).toBe(404);
});
