import { expect } from 'vitest';
import { looks } from './looks.ts';
import { AUTHOR, test } from './fixtures.ts';
import { sizes } from './visit.ts';

test.for(looks(Object.entries(sizes)))(
  'the author edits and deletes an article on its page (%s)',
  async ([, viewport], { site, author, visit }) => {
    const id = await site.write(author, { title: '写错了的文章' });
    const { page } = await visit({ username: AUTHOR, viewport });
    await page.goto('/changelog');
    await page.goto(`/detail/${id}`);
    const edit = page.getByRole('link', { name: '编辑《写错了的文章》' });
    await edit.waitFor();
    expect(await page.getByRole('link', { name: '举报' }).count()).toBe(0);
    expect(await edit.getAttribute('href')).toBe(`/edit/${id}`);
    await page.getByRole('button', { name: '删除《写错了的文章》' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
    await page.waitForURL('**/user/list');
    await page.getByText('已删除').waitFor();
    await page.getByText('还没有写过文章').waitFor();
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/changelog');
  },
);

test('a deleted draft leads to the drafts', async ({ site, author, visit }) => {
  const id = await site.write(author, { title: '不写了', status: 'draft' });
  const { page } = await visit({ username: AUTHOR });
  await page.goto(`/detail/${id}`);
  await page.getByRole('button', { name: '删除《不写了》' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await page.waitForURL('**/user/draft');
  await page.getByText('没有草稿').waitFor();
  expect(await page.getByText('不写了').count()).toBe(0);
});

test('other readers get no controls, and visitors not even the script', async ({
  site,
  author,
  visit,
  page,
}) => {
  const id = await site.write(author, { title: '别人的文章' });
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto(`/detail/${id}`, { waitUntil: 'networkidle' });
  expect(scripts.filter((url) => url.includes('OwnerActions'))).toEqual([]);

  await site.join('路人甲');
  const reader = await visit({ username: '路人甲' });
  const loaded = reader.page.waitForResponse(/OwnerActions/);
  await reader.page.goto(`/detail/${id}`, { waitUntil: 'networkidle' });
  await loaded;
  for (const name of ['编辑', '删除'])
    expect(await reader.page.locator('main header').getByText(name).count()).toBe(0);
});
