import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { naiveMatches, openSearchStage, type Sample, type SearchStage } from './search-fixture.ts';

let stage: SearchStage;
const fresh = () => {
  beforeEach(async () => {
    stage = await openSearchStage();
  });
  afterEach(() => stage.close());
};

const ask = (keywords: string, page = 1, pageSize = 10) => stage.index.search({ keywords, page, pageSize });

describe('what is found', () => {
  const samples: Sample[] = [
    {
      title: 'HashMap 源码',
      author: '程序员小王',
      headings: ['扩容机制'],
      tags: ['Java'],
      text: 'HashMap<K,V> 的扩容：loadFactor 是 0.75',
    },
    { title: 'ＪＶＭ内存', tags: ['JVM'], text: '堆、栈；GC -> G1。100% "安全点" * 2' },
    {
      title: '线程',
      tags: ['C++'],
      text: '锁（lock）与线程池，a[i]++; x && y || !z; C:\\path ~ `code` #1 $2 @me ^_^',
    },
    { title: 'emoji', tags: [], text: '一家👩‍👩‍👧出门👍🏽 café' },
  ];
  beforeAll(async () => {
    stage = await openSearchStage();
    await stage.addAll(samples);
  });
  afterAll(() => stage.close());

  test.each([
    ['ashma', 1],
    ['HASHMAP', 1],
    ['map 扩容', 1],
    ['源码 java 0.75', 1],
    ['jvm内存', 1],
    ['线', 1],
    ['程池', 1],
    ['C++', 1],
    ['%', 1],
    ['"', 1],
    ['*', 1],
    ['->', 1],
    ['<K,V>', 1],
    ['，', 2],
    ['👩‍👩‍👧', 1],
    ['👍', 1],
    ['cafe\u0301', 1],
    ['cafe', 0],
    ['线程 jvm', 0],
    ['a', 3],
    ['线程程池', 0],
    ['员小王', 1],
    ['小王 机制', 1],
  ])('%j is in %i articles', async (keywords, total) => {
    const found = await ask(keywords);
    expect(found.total).toBe(total);
    expect(found.hits).toHaveLength(total);
    expect(naiveMatches(samples, keywords)).toHaveLength(total);
  });

  test('every ASCII sign and every operator of the engine is an ordinary word', async () => {
    const signs = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index));
    const operators = [
      'AND',
      'OR',
      'NOT',
      'NEAR',
      'NEAR(a b)',
      '^a',
      'title:线程',
      '"',
      '""',
      "'",
      "';--",
      '(',
      ')',
      '{',
      '-a',
      '+a',
      '*',
      'a*',
      '\\',
    ];
    for (const keywords of [
      ...signs.filter((sign) => sign !== ' '),
      ...signs.map((sign) => `${sign}${sign}`),
      ...operators,
    ]) {
      if (keywords.trim() === '') continue;
      const expected = naiveMatches(samples, keywords).length;
      const { hits } = await ask(keywords, 1, 100);
      expect(hits.slice(0, expected).length, keywords).toBe(expected);
      if (!/[\p{L}\p{N}]/u.test(keywords)) expect(hits.length, keywords).toBe(expected);
    }
  });

  test('matches are highlighted in title and text, and text is escaped', async () => {
    const { hits } = await ask('hashmap <k');
    expect(hits[0]?.highlight.title).toBe('<mark>HashMap</mark> 源码');
    expect(hits[0]?.highlight.content).toContain('<mark>HashMap&lt;K</mark>,V&gt; 的扩容');
  });
});

describe('order', () => {
  fresh();
  test('title before tags before text, newest first among equals', async () => {
    const text = await stage.add({ title: '甲', text: '讲线程' });
    const oldTitle = await stage.add({ title: '线程一' });
    const tag = await stage.add({ title: '乙', tags: ['多线程'] });
    const newTitle = await stage.add({ title: '线程二', text: '线程' });
    const newText = await stage.add({ title: '丙', text: '线程线程线程' });
    expect(await stage.findAll('线程')).toEqual([newTitle, oldTitle, tag, newText, text]);
  });

  test('of several words the one in the lowest-ranked field decides', async () => {
    const text = await stage.add({ title: '线程', text: '内存' });
    const tag = await stage.add({ title: '线程', tags: ['内存'] });
    const title = await stage.add({ title: '内存与线程', createTime: 1_000_000 });
    expect(await stage.findAll('线程 内存')).toEqual([title, tag, text]);
  });

  test('age is the time of creation, not of writing into the index', async () => {
    const day = 86_400_000;
    const middle = await stage.add({ title: '线程', createTime: 20_000 * day });
    const oldest = await stage.add({ title: '线程', createTime: -5 * day });
    const newest = await stage.add({ title: '线程', createTime: 20_001 * day });
    expect(await stage.findAll('线程')).toEqual([newest, middle, oldest]);
    await stage.change(oldest, { title: '线程', createTime: 20_002 * day });
    expect(await stage.findAll('线程')).toEqual([oldest, newest, middle]);
  });

  test('articles of the same second are sorted by publication, latest first', async () => {
    const ids = await stage.addAll(
      Array.from({ length: 30 }, () => ({ title: '线程', createTime: 1_700_000_000_500 })),
    );
    const next = await stage.add({ title: '线程', createTime: 1_700_000_001_000 });
    expect(await stage.findAll('线程')).toEqual([next, ...ids.toReversed()]);
  });
});

describe('pages', () => {
  fresh();
  test('every hit is on exactly one page, in order, and a page beyond the last is the last', async () => {
    const samples = Array.from({ length: 23 }, (_, index) => ({
      title: index % 3 === 0 ? '线程' : '别的',
      tags: index % 3 === 1 ? ['线程'] : [],
      text: '线程',
    }));
    await stage.addAll(samples);
    const all = await stage.findAll('线程');
    expect(new Set(all).size).toBe(23);
    const pages = await Promise.all([1, 2, 3, 4, 999].map((page) => ask('线程', page)));
    expect(pages.map(({ page, total }) => [page, total])).toEqual([
      [1, 23],
      [2, 23],
      [3, 23],
      [3, 23],
      [3, 23],
    ]);
    expect(pages.slice(0, 3).flatMap(({ hits }) => hits.map((hit) => hit.articleId))).toEqual(all);
  });

  test('distant pages continue the near ones, before and after a change', async () => {
    const kinds = [
      { title: '线程' },
      { title: '别的', tags: ['线程'] },
      { title: '别的', text: '线程' },
      { title: '锁' },
    ];
    const ids = await stage.addAll(Array.from({ length: 1_400 }, (_, index) => kinds[index % 4] as Sample));
    const tier = (kind: number) => ids.filter((_, index) => index % 4 === kind).toReversed();
    const expected = [...tier(0), ...tier(1), ...tier(2)];
    expect(await stage.findAll('线程')).toEqual(expected);
    const newest = await stage.add({ title: '线程' });
    expect(await stage.findAll('线程')).toEqual([newest, ...expected]);
    await stage.hide(expected[500] as string);
    const left = [newest, ...expected.slice(0, 500), ...expected.slice(501)];
    for (const page of [1, 30, 31, 50, 51, 105]) {
      const { hits } = await ask('线程', page);
      expect(hits.map((hit) => hit.articleId)).toEqual(left.slice((page - 1) * 10, page * 10));
    }
  });

  test('nothing found is page 1 of nothing', async () => {
    expect(await ask('没有这个', 5)).toMatchObject({ hits: [], total: 0, exact: 0, page: 1 });
  });
});

describe('looser hits', () => {
  fresh();
  test('contain most words of the query and are counted separately', async () => {
    const two = await stage.add({ title: '线程的参数' });
    const exact = await stage.add({ title: '线程池参数配置', createTime: 1_000_000 });
    const all = await stage.add({ title: '配置', text: '线程和参数' });
    await stage.add({ title: '只有线程' });
    expect(await stage.findAll('线程池参数配置')).toEqual([exact, two, all]);
    expect((await ask('线程池参数配置', 2, 2)).hits.map((hit) => hit.articleId)).toEqual([all]);
    expect(await ask('线程池参数配置', 1, 2)).toMatchObject({ total: 3, exact: 1 });
    const { hits } = await ask('线程池参数配置');
    expect(hits[1]?.highlight.title).toBe('<mark>线程</mark>的<mark>参数</mark>');
  });

  test('are not added to a full page of exact hits', async () => {
    await stage.addAll(Array.from({ length: 10 }, () => ({ title: '线程池' })));
    await stage.add({ title: '线程' });
    expect((await ask('线程池')).total).toBe(10);
  });

  test('do not appear for one character or for signs', async () => {
    await stage.addAll([{ title: '锁' }, { title: '的' }, { title: '- >' }]);
    expect((await ask('锁')).total).toBe(1);
    expect((await ask('->')).total).toBe(0);
  });
});

describe('changes', () => {
  fresh();
  test('are visible to the next search, in any field', async () => {
    const id = await stage.add({ title: '线程', tags: ['并发'], text: '内存' });
    for (const word of ['线程', '并发', '内存']) expect((await ask(word)).total).toBe(1);
    await stage.change(id, { title: '缓存', tags: [], text: '穿透' });
    for (const word of ['线程', '并发', '内存']) expect((await ask(word)).total).toBe(0);
    for (const word of ['缓存', '穿透']) expect((await ask(word)).total).toBe(1);
    await stage.hide(id);
    for (const word of ['缓存', '穿透', '存']) expect((await ask(word)).total).toBe(0);
  });

  test('indexing twice counts once', async () => {
    const id = await stage.add({ title: '线程' });
    await stage.change(id, { title: '线程' });
    expect((await ask('线程')).total).toBe(1);
  });

  test('removing an unindexed article changes nothing', async () => {
    await stage.add({ title: '线程' });
    await stage.db.write((trx) => stage.index.remove(trx, 'f'.repeat(24)));
    expect((await ask('线程')).total).toBe(1);
  });

  test('of a failed transaction are not visible', async () => {
    await stage.add({ title: '线程' });
    await expect(
      stage.db.write(async (trx) => {
        await stage.index.put(trx, {
          id: 'e'.repeat(24),
          title: '线程',
          tags: '[]',
          username: '甲',
          display_name: '',
          toc: '[]',
          text: '',
          create_time: 0,
        });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await ask('线程')).total).toBe(1);
  });

  test('by another process are visible, many at once too', async () => {
    const other = stage.openIndex();
    await stage.add({ title: '线程' });
    expect((await other.search({ keywords: '线程', page: 1, pageSize: 10 })).total).toBe(1);
    await stage.addAll(Array.from({ length: 1_200 }, () => ({ title: '线程' })));
    expect((await other.search({ keywords: '线程', page: 1, pageSize: 10 })).total).toBe(1_201);
    await stage.hide('1'.padStart(24, '0'));
    expect((await other.search({ keywords: '线程', page: 1, pageSize: 10 })).total).toBe(1_200);
    await other.close();
  });
});

describe('visibility', () => {
  fresh();
  test('drafts and secret articles are never found', async () => {
    await stage.add({ title: '线程草稿' }, 'draft');
    await stage.add({ title: '线程秘密' }, 'secret');
    const id = await stage.add({ title: '线程' });
    expect(await stage.findAll('线程')).toEqual([id]);
    for (const word of ['草稿', '秘密', '秘']) expect((await ask(word)).total).toBe(0);
  });

  test('an article that is no longer public is not shown, even while still indexed', async () => {
    const id = await stage.add({ title: '线程' });
    await stage.db.write((trx) =>
      trx.updateTable('articles').set({ secret: 1, is_public: 0 }).where('id', '=', id).execute(),
    );
    expect((await ask('线程')).hits).toEqual([]);
  });
});
