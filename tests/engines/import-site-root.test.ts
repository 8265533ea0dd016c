import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describe as linesOf } from '../../src/lib/importers/report.ts';
import { type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

const post = (metadata: string, body = '正文在此') => `---\ntags: [诗]\n${metadata}\n---\n${body}\n`;
const get = async (title: string) => (await stage.articles()).get(title);

test('pages by their place are offered as articles, and public on request', async () => {
  stage.put({
    '_posts/甲.md': '正文',
    'java/乙.md': '正文',
    'java/2019-05-06-丙.md': '正文',
    'tags.md': post('layout: tags'),
  });
  const report = await stage.run();
  expect([...(await stage.articles()).keys()].sort()).toEqual(['丙', '甲'].sort());
  expect(linesOf(report)).toContain(
    '2 个页面不是文章，没有导入（加 --pages 导入为仅自己可见；其中 1 个只是位置像页面，加 --pages-as-articles 作为公开的文章导入）：',
  );
  const { pages } = await stage.run({ takesPlacedPages: true });
  expect(pages).toEqual([{ path: 'tags.md', reason: 'layout: tags' }]);
  expect(await get('乙')).toMatchObject({ secret: false, status: 'normal', tags: ['java'] });
});

test('the root of a site brings its texts, and the settings tell its address and zone', async () => {
  const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#468' } })
    .png()
    .toBuffer();
  stage.put({
    '_config.yml': 'url: https://me.example/blog\nroot: /blog/\ntimezone: America/New_York\n',
    'README.md': '说明',
    'themes/next/README.md': '说明',
    'source/_posts/甲.md': post(
      'date: 2020-01-02 20:00:00\nheroImage: /images/a.png',
      '[乙](https://me.example/blog/2020/01/03/乙/#节) [乙](/blog/2020/01/03/乙/) [无](https://me.example/blog/none/) [无](none/) ![无](b.png)',
    ),
    'source/_posts/乙.md': post('date: 2020-01-03 20:00:00'),
    'source/images/a.png': picture,
  });
  const { counts, warnings } = await stage.run();
  expect(counts).toMatchObject({ created: 2, failed: 0 });
  const id = (await get('乙'))?._id;
  expect(await get('甲')).toMatchObject({
    create_time: '2020-01-03T01:00:00.000Z',
    cover: expect.stringMatching(/^\/api\/file\/[0-9a-f]{32}-8x6\.\w+$/) as string,
    content: `[乙](/detail/${id}#节) [乙](/detail/${id}) [无](https://me.example/blog/none/) [无](none/) （图片缺失“无”：\`b.png\`）`,
  });
  expect(await stage.app.services.formerPaths.find('/blog/2020/01/03/乙/')).toEqual({ id });
  expect(warnings.map(({ path, text }) => `${path}：${text}`)).toEqual([
    'README.md：不在网站的内容文件夹（source）里，没有导入',
    'source/_posts/甲.md：找不到图片，文中留下说明：b.png',
    'source/_posts/甲.md：找不到链接的文章，指向旧站：https://me.example/blog/none/',
    'themes/：1 个文件不在网站的内容文件夹（source）里，没有导入',
  ]);
});

test('a zone that does not exist and the address of a new site are not used', async () => {
  stage.put({
    '_config.yml': 'url: http://example.com\ntimezone: Mars/City\n',
    'source/_posts/甲.md': post('date: 2020-01-02', '[例](http://example.com/none/)'),
  });
  const { warnings } = await stage.run();
  expect(warnings).toEqual([{ path: '.', text: '网站设置里的时区“Mars/City”不存在，日期按北京时间读取' }]);
  expect(await get('甲')).toMatchObject({ create_time: '2020-01-01T16:00:00.000Z' });
});

test('pages of Notion link to each other, without ids in names', async () => {
  const [a, b] = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];
  stage.put({
    [`山居 ${a}.md`]: `# 山居\n\nCreated: May 6, 2019 3:04 PM\n\n[田园 ${b}](%E5%B1%B1%E5%B1%85%20${a}/%E7%94%B0%E5%9B%AD%20${b}.md) [田园](https://www.notion.so/${b}?pvs=21) [别的](https://www.notion.so/${'a'.repeat(32)})\n`,
    [`山居 ${a}/田园 ${b}.md`]: '正文',
  });
  await stage.run();
  const found = await get('田园');
  expect(found?.tags).toEqual(['山居']);
  expect(await get('山居')).toMatchObject({
    create_time: '2019-05-06T07:04:00.000Z',
    content: `[田园](/detail/${found?._id}) [田园](/detail/${found?._id}) [别的](https://www.notion.so/${'a'.repeat(32)})`,
  });
});
