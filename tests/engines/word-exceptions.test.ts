import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clean } from '../clean-texts.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let wei: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  wei = await stage.signUp('王维');
});
afterEach(() => stage?.close());

const services = () => stage.app.services;
const ALL = { q: '', category: '', action: '', page: 1, pageSize: 10 } as const;
const list = (words: string[], action: 'reject' | 'hold' | 'mask' | 'except') =>
  services().words.add(words, { category: '', action }, null);
const preview = (text: string, action: 'hold' | 'except' = 'hold') =>
  services().previews.preview(text, { action, category: '' });

describe('exceptions of the list', () => {
  test('let a text pass that has the word only inside them', async () => {
    await list(['法轮'], 'reject');
    const place = await stage.write(wei, '山居秋暝');
    await expect(stage.comment(wei, place, '工厂里的法轮机')).rejects.toMatchObject({ code: 'WORD_REFUSED' });
    await list(['法轮机'], 'except');
    await stage.comment(wei, place, '工厂里的法轮机');
    await stage.write(wei, '法轮机的历史');
    await expect(stage.comment(wei, place, '法轮机和法轮')).rejects.toMatchObject({ code: 'WORD_REFUSED' });
    await expect(stage.write(wei, '法轮')).rejects.toMatchObject({ code: 'WORD_REFUSED' });
    const { name } = await services().tags.create({ name: '法轮机', description: '' }, wei.viewer);
    expect(name).toBe('法轮机');
  });

  test('are listed only where they are asked for, and go in and out as a file', async () => {
    const { words } = services();
    const file = '法轮\t拒绝发布\n法轮机\t例外\t机器\n水法轮,except\n';
    expect(await words.importFile(file, { action: 'hold', category: '' }, null)).toMatchObject({ added: 3 });
    expect(await words.list(ALL)).toMatchObject({ total: 1, result: [{ word: '法轮', action: 'reject' }] });
    expect(await words.list({ ...ALL, action: 'except' })).toMatchObject({ total: 2 });
    expect(await words.find('法轮机')).toEqual([]);
    const exported = await words.exportFile(ALL);
    expect(new Set(exported.trimEnd().split('\n'))).toEqual(
      new Set(['法轮\t拒绝发布', '法轮机\t例外\t机器', '水法轮\t例外']),
    );
    const { result } = await words.list({ ...ALL, action: 'except' });
    await words.remove(
      result.map(({ id }) => id),
      null,
    );
    expect(await words.find('法轮机')).toMatchObject([{ word: '法轮', start: 0, end: 2 }]);
    await words.importFile(exported, { action: 'hold', category: '' }, null);
    expect(await words.find('法轮机')).toEqual([]);
  });
});

describe('the preview of words', () => {
  test('finds them in public and pending texts, and in nothing private', async () => {
    const { options, articles } = services();
    const place = await stage.write(wei, '洗手间的消毒品牌');
    await stage.comment(wei, place, '这里说的是毒*品');
    await stage.write(wei, '私密的毒品', true);
    await articles.create(
      { title: '草稿毒品', content: '毒品', tags: ['诗'], type: '', status: 'draft', secret: false },
      wei.viewer,
    );
    const hidden = await stage.write(wei, '藏起来的毒品');
    await services().takedowns.decide('article', { ids: [hidden], action: 'hide', note: '' }, null);
    await options.change({ holdArticles: 'all', holdComments: 'all' }, null);
    const held = await stage.write(wei, '等待审核的毒品');
    const remark = await stage.comment(wei, place, '也在等：毒品');

    const found = await preview('毒品\n从没出现的词');
    expect(found).toMatchObject({ scanned: 4, matched: 4, is_whole: true });
    expect(found.words).toEqual([
      { word: '毒品', texts: 4 },
      { word: '从没出现的词', texts: 0 },
    ]);
    expect(new Map(found.samples.map(({ _id, is_pending }) => [_id, is_pending]))).toEqual(
      new Map([
        [held, true],
        [remark, true],
        [place, false],
        [found.samples.find((each) => each.found === '毒*品')?._id, false],
      ]),
    );
    expect(found.samples.find(({ _id }) => _id === place)).toMatchObject({
      kind: 'article',
      article_id: place,
      title: '洗手间的消毒品牌',
      before: '洗手间的消',
      found: '毒品',
      word: '毒品',
    });
    expect(await services().words.list(ALL)).toMatchObject({ total: 0 });
  });

  test('respects listed exceptions, and shows where a new one occurs', async () => {
    await stage.write(wei, '洗手间的消毒品牌');
    expect(await preview('消毒品牌', 'except')).toMatchObject({ matched: 1 });
    expect(await preview('毒品\n消毒品牌\t例外')).toMatchObject({
      matched: 0,
      words: [{ word: '毒品', texts: 0 }],
    });
    await list(['消毒品牌'], 'except');
    expect(await preview('毒品')).toMatchObject({ scanned: 1, matched: 0, samples: [] });
  });

  test('of nothing, of bad lines and of a site without texts finds nothing', async () => {
    for (const text of ['。。。', '长'.repeat(51), '词'])
      expect(await preview(text)).toMatchObject({ scanned: 0, matched: 0, samples: [] });
  });

  test('finds words far inside a long text, also across the ends of its slices', async () => {
    const { articles } = services();
    for (const at of [4_090, 4_095, 40_000]) {
      const content = `${'山'.repeat(at)}赌博${'水'.repeat(5_000)}`;
      await articles.create(
        { title: '长', content, tags: ['诗'], type: '', status: 'normal', secret: false },
        wei.viewer,
      );
    }
    expect(await preview('赌博')).toMatchObject({ scanned: 3, matched: 3 });
    await list(['山赌博水'], 'except');
    expect(await preview('赌博')).toMatchObject({ scanned: 3, matched: 0 });
  });

  test('searches the newest 1,000 texts', async () => {
    const place = await stage.write(wei, '最早的赌博');
    const comments = Array.from({ length: 1_000 }, (_, index) => ({
      id: String(index).padStart(24, '0'),
      article_id: place,
      author_id: wei.viewer.id,
      content: clean(index === 500 ? '赌博' : '好诗'),
      reply_user_id: null,
      reply_comment_id: null,
      create_time: stage.now() + 1_000 + index,
      request_id: null,
      edit_time: null,
      mentions: '',
    }));
    await stage.app.db.write(async (trx) => {
      for (let at = 0; at < comments.length; at += 250)
        await trx
          .insertInto('comments')
          .values(comments.slice(at, at + 250))
          .execute();
    });
    expect(await preview('赌博')).toMatchObject({ scanned: 1_000, matched: 1 });
  });
});
