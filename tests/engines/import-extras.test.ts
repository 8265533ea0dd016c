import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CORPUS, hasCorpus, type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

const COVER = /^\/api\/file\/[0-9a-f]{32}-8x6\.\w+$/;
const picture = (colour: string) =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: colour } })
    .png()
    .toBuffer();
const post = (metadata: string) => `---\ntags: [诗]\n${metadata}\n---\n正文在此\n`;
const get = async (title: string) => (await stage.articles()).get(title);

describe('a description of front matter', () => {
  test('is taken from description, summary or excerpt, whichever is a text', async () => {
    stage.put({
      '一.md': post('description: 山中一日'),
      '二.md': post('Summary: 山中一日'),
      '三.md': post('excerpt: |\n  山中一日\n\n'),
      '四.md': post('description: true\nsummary: ""\nexcerpt: 山中一日'),
    });
    expect((await stage.run()).warnings).toEqual([]);
    const all = [...(await stage.articles()).values()];
    expect(all.map(({ description }) => description)).toEqual(Array(4).fill('山中一日'));
  });

  test('is cut when it is too long, and reported', async () => {
    stage.put({ '甲.md': post(`description: ${'长'.repeat(201)}`) });
    expect((await stage.run()).warnings).toEqual([{ path: '甲.md', text: '摘要超过 200 个字符，已截短' }]);
    expect((await get('甲'))?.description).toBe(`${'长'.repeat(199)}…`);
  });

  test('is added to an article imported without it by an earlier release, unless edited since', async () => {
    stage.put({ '甲.md': post(''), '乙.md': post('') });
    await stage.run();
    const { _id: id = '', ...edited } = { ...(await get('乙')) };
    const { articles } = stage.app.services;
    const fields = { title: '乙', tags: ['诗'], secret: false, type: '', status: 'normal' as const };
    await articles.edit(
      { ...fields, id, content: edited.content ?? '', description: '站内写的' },
      stage.author,
    );
    stage.put({ '甲.md': post('description: 新来的'), '乙.md': post('description: 新来的') });
    expect((await stage.run()).counts).toMatchObject({ updated: 1, skipped: 1 });
    expect(await get('甲')).toMatchObject({ description: '新来的' });
    expect(await get('乙')).toMatchObject({ description: '站内写的' });
    expect((await stage.run()).counts).toMatchObject({ updated: 0, unchanged: 1, skipped: 1 });
  });

  test.runIf(hasCorpus)('is read from real articles', async () => {
    await stage.run({ folder: `${CORPUS}about-the-author` });
    const all = [...(await stage.articles()).values()];
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter(({ description }) => !description).map(({ title }) => title)).toEqual([]);
    expect(await get('个人介绍 Q&A')).toMatchObject({
      description:
        'JavaGuide作者Guide个人介绍，19年本科毕业、大学期间变现20w+实现经济独立、坚持写博客的经历与收获分享。',
    });
  });
});

describe('a cover of front matter', () => {
  test('is imported, whatever the generator calls it', async () => {
    const names = [
      'cover: 图.png',
      'banner: /图.png',
      'thumbnail: ./图.png',
      'image: 图.png',
      'featured_image: "%E5%9B%BE.png"',
      'featuredImage: 图.png',
      // Front matter of Hugo themes and of Jekyll.
      'cover:\n  image: 图.png\n  alt: 图',
      'image: { path: 图.png }',
      'images: []\nthumbnail: [图.png, 无.png]',
      'cover: false\ntop_img: 图.png',
    ];
    stage.put({ '图.png': await picture('#246') });
    stage.put(Object.fromEntries(names.map((name, index) => [`${index}.md`, post(name)])));
    expect((await stage.run({ isDryRun: true })).counts.failed).toBe(0);
    expect((await stage.run()).warnings).toEqual([]);
    const covers = new Set([...(await stage.articles()).values()].map(({ cover }) => cover));
    expect([...covers]).toEqual([expect.stringMatching(COVER)]);
    expect((await stage.run()).counts).toMatchObject({ unchanged: names.length });
  });

  test('is stored once when the text has the same picture', async () => {
    const text = `${post('cover: 图.png')}\n![同一张](图.png)\n`;
    stage.put({ '甲.md': text, '图.png': await picture('#357') });
    await stage.run();
    const article = await get('甲');
    expect(article?.content).toContain(`](${article?.cover})`);
    expect(await stage.count('select count(*) from files')).toBe(1);
  });

  test('of parts that name no picture is reported', async () => {
    stage.put({ '甲.md': post('cover: { alt: 花 }\nimages: [{ caption: 花 }]\nthumbnail: {}\nbanner: []') });
    const { warnings } = await stage.run();
    expect(warnings.map(({ text }) => text)).toEqual([
      '无法识别的“cover”，没有导入',
      '无法识别的“images”，没有导入',
    ]);
  });

  test('that is unavailable leaves the article without one, and is reported', async () => {
    const covers = ['https://example.com/a.png', '无.png', '../../外.png', '"#fff"', '坏.png'];
    stage.put({ '坏.png': 'not a picture' });
    stage.put(Object.fromEntries(covers.map((cover, index) => [`${index}.md`, post(`cover: ${cover}`)])));
    const { counts, warnings } = await stage.run();
    expect(counts).toMatchObject({ created: covers.length, failed: 0 });
    expect(warnings.map(({ text }) => text.split('：')[0])).toEqual([
      ...Array<string>(4).fill('封面不是文件夹里的图片，没有导入'),
      '图片没有导入',
    ]);
    for (const { cover } of (await stage.articles()).values()) expect(cover).toBe('');
  });
});
