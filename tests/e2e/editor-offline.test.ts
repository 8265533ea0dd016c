import { expect } from 'vitest';
import { test } from './desk.ts';

const SAFE = '连不上服务器。写下的都存在这台设备上';

test.for([
  ['保存草稿', `${SAFE}，联网后会自动保存`],
  ['发布', `${SAFE}，还没有发布，联网后请再发布一次`],
] as const)('without a network %s says at once what is safe', async ([name, word], { guest, page, desk }) => {
  guest.forgive(/ERR_INTERNET_DISCONNECTED|网络不通|WebSocket/);
  await desk.open();
  await desk.title.fill(`离线${name}`);
  await desk.pick('Java');
  await desk.write('山中无网');
  await guest.context.setOffline(true);
  await desk.button(name).click();
  await page.getByText(word).waitFor();
  await desk.saved('离线，已存本机');
  expect(await desk.source()).toBe('山中无网');
  await guest.context.setOffline(false);
  await desk.saved('已保存');
  if (name === '保存草稿') return;
  await page.getByText('网络恢复了，这篇还没有发布，可以发布了').waitFor();
  await desk.button(name).click();
  await page.waitForURL(/\/detail\/[0-9a-f]{24}$/);
});

test.for([
  ['暂存改动', `${SAFE}，联网后会自动保存`],
  ['更新', `${SAFE}，还没有发布，联网后请再发布一次`],
] as const)(
  'of a published article %s says it too',
  async ([name, word], { site, author, guest, page, desk }) => {
    guest.forgive(/ERR_INTERNET_DISCONNECTED|网络不通|WebSocket/);
    const id = await site.write(author, { title: `离线${name}`, content: '旧的' });
    await desk.open(`/edit/${id}`);
    await desk.write('新的');
    await guest.context.setOffline(true);
    await desk.button(name).click();
    await page.getByText(word).waitFor();
  },
);
