import { expect } from 'vitest';
import { TOKEN_SECRET } from '../engine.ts';
import { test as base } from './fixtures.ts';

/** Two servers on one database: readers of one immediately see changes made through the other. */
const test = base.extend('b', { scope: 'file' }, ({ site, startSite }) =>
  startSite({ DATABASE_URL: site.app.config.databaseUrl ?? '', TOKEN_SECRET }),
);

test('a comment through A updates the bell of a reader at B, and appears under the article there', async ({
  site,
  author,
  visit,
  b,
}) => {
  const { viewer: reader } = await site.join('路人甲');
  const article = await site.write(author, { title: '并发编程' });
  const { page } = await visit({ at: b, username: author.username });
  const bell = page.getByRole('banner').getByRole('link', { name: /未读评论$/ });
  const told = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await Promise.all([told, page.goto(`/detail/${article}`)]);
  await expect.poll(() => bell.getAttribute('aria-label')).toBe('没有未读评论');

  const comment = {
    content: '隔岸观火',
    page_id: article,
    reply_user: '',
    reply_content: '',
    request_id: '',
  };
  await site.app.services.comments.create(comment, reader);
  await expect.poll(() => bell.getAttribute('aria-label')).toBe('有 1 条未读评论');
  await expect.poll(async () => (await fetch(`${b.url}/detail/${article}`)).text()).toContain('隔岸观火');
});
