import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSiteImportStage, type FakeSite, type SiteImportStage } from './site-import-stage.ts';

let stage: SiteImportStage;
beforeEach(async () => {
  stage = await openSiteImportStage();
});
afterEach(() => stage?.close());

test('a dry run reports refusals and addresses that cannot be preserved', async () => {
  const site: FakeSite = {
    users: [{ key: 'u', username: '老张' }],
    articles: [
      { key: 'deep', author: 'u', title: '深', content: `${'<div>'.repeat(400)}深` },
      { key: 'a', author: 'u', title: '甲', content: '甲', formerPaths: ['/甲/', '/home', '/same/'] },
      { key: 'b', author: 'u', title: '乙', content: '乙', formerPaths: ['/same', '/p?x=1', 'https://'] },
    ],
  };
  const foreseen = await stage.run(site, { isDryRun: true });
  const told = JSON.stringify(foreseen);
  for (const text of [
    '已作为草稿导入',
    '/home 没有转过来',
    '/same 没有转过来',
    '/p?x=1 没有转过来',
    'https:// 没有转过来',
  ])
    expect(told).toContain(text);
  expect({ ...(await stage.run(site)), isDryRun: true }).toEqual(foreseen);
  expect({ ...(await stage.run(site, { isDryRun: true })) }).toEqual({
    ...(await stage.run(site)),
    isDryRun: true,
  });
});
