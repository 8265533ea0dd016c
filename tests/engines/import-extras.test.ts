import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CORPUS, hasCorpus, type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

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

  test('is cut where it is too long, which the operator is told', async () => {
    stage.put({ '甲.md': post(`description: ${'长'.repeat(201)}`) });
    expect((await stage.run()).warnings).toEqual([{ path: '甲.md', text: '摘要超过 200 个字符，已截短' }]);
    expect((await get('甲'))?.description).toBe(`${'长'.repeat(199)}…`);
  });

  test('comes to an article that an earlier release has taken without it, and to none that was edited here', async () => {
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

  test.runIf(hasCorpus)('is that of real articles', async () => {
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
