import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openOtherSite, type OtherSite } from '../api/other-site.ts';
import { type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
let site: OtherSite;
beforeEach(async () => {
  const png = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  site = await openOtherSite(({ url }, response) =>
    url === '/gone.png' ? void response.writeHead(404).end() : void response.end(png),
  );
  stage = await openImportStage(undefined, site.outside);
});
afterEach(async () => {
  await stage.close();
  site.close();
});

const STORED = '/api/file/[0-9a-f]{32}-8x6\\.png';
const textOf = async (title: string) => (await stage.articles()).get(title)?.content ?? '';

test('external pictures and linked ones are imported on request, once; code and failures stay unchanged', async () => {
  const [here, gone] = [site.urlOf('a.test', '/1.png'), site.urlOf('a.test', '/gone.png')];
  const text = `![甲](${here}) <img src="${here}"> [链接](${here}) \`![](${here})\` ![乙](${gone})`;
  stage.put({ '一.md': `---\ntags: [诗]\ncover: ${here}\n---\n${text}\n`, '二.md': `![](${here})` });
  const importsPicture = (address: string) => address.startsWith('http://a.test');
  expect((await stage.run({ importsPicture, isDryRun: true })).counts).toMatchObject({ created: 2 });
  expect(site.asked).toHaveLength(0);
  const { warnings } = await stage.run({ importsPicture });
  expect(warnings.map(({ text: warning }) => warning)).toContain(
    `外链图片没有存到本站，保留原样：${gone}（对方网站上已经没有这张图片）`,
  );
  const content = await textOf('一');
  expect(content).toMatch(
    new RegExp(`^!\\[甲\\]\\(${STORED}\\) <img src="${STORED}"> \\[链接\\]\\(${STORED}\\)`),
  );
  expect(content).toContain(`\`![](${here})\` ![乙](${gone})`);
  expect((await stage.articles()).get('一')).toMatchObject({
    cover: expect.stringMatching(new RegExp(`^${STORED}$`)) as string,
  });
  expect(await textOf('二')).toMatch(new RegExp(STORED));
  expect(new Set(site.asked.map(({ url }) => url))).toEqual(new Set(['/1.png', '/gone.png']));
  expect(site.asked).toHaveLength(2);
  // The next run requests only the pictures that failed.
  expect((await stage.run({ importsPicture })).counts).toMatchObject({ unchanged: 2 });
  expect(site.asked.map(({ url }) => url).at(-1)).toBe('/gone.png');
  expect(site.asked).toHaveLength(3);
});

test('without the option they stay external', async () => {
  const here = site.urlOf('a.test', '/1.png');
  stage.put({ '一.md': `![](${here})` });
  await stage.run();
  expect(await textOf('一')).toBe(`![](${here})`);
  expect(site.asked).toHaveLength(0);
});
